import type { AgainstBaseline, RowAgainst } from '#lib/domain/compare/index.ts'
import { classNames } from '../ui/class-names.ts'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import type { TableRow } from './board-view.ts'

type BaselineChoiceProps = {
  rows: readonly TableRow[]
  base: string | null
  onChange: (base: string | null) => void
}

/** Chooses the entry that all others are compared with. */
export function BaselineChoice({ rows, base, onChange }: BaselineChoiceProps) {
  return (
    <label className="min-w-0 max-w-full">
      <span className="sr-only">Baseline: the entry that all others are compared with</span>
      <select
        className="h-8 w-full max-w-44 rounded border border-line-strong bg-surface px-2"
        onChange={(event) => onChange(event.target.value || null)}
        value={base ?? ''}
      >
        <option value="">No baseline</option>
        {rows.map(({ id, subject }) => (
          <option key={id} value={id}>
            vs.{' '}
            {[subject.name, subject.under, subject.model ?? subject.way]
              .flatMap((part) => (part ? [visibleText(part)] : []))
              .join(' · ')}
          </option>
        ))}
      </select>
    </label>
  )
}

export function BaselineHeader() {
  return (
    <th
      className="w-[11rem] border-line-strong border-b bg-surface px-2.5 text-left font-normal text-muted text-xs"
      scope="col"
      title="Difference of success rates in percentage points, paired by task; all differences shown are tested together (Holm, family-wise error 5 %)"
    >
      vs. baseline, points
    </th>
  )
}

const VERDICTS = {
  better: { mark: '▲', word: 'better', tone: 'text-good' },
  worse: { mark: '▼', word: 'worse', tone: 'text-bad' },
  'no-larger-than': { mark: '=', word: 'about equal', tone: 'text-ink' },
  'cannot-tell': { mark: '○', word: 'not significant', tone: 'text-muted' },
} as const

/** A row's difference to the baseline with its verdict, and the ratios of cost and time per success. */
export function BaselineCell({ against }: { against: AgainstBaseline[string] | undefined }) {
  if (!against) return <span className="text-muted">{UNKNOWN}</span>
  if (against.kind === 'baseline') return <span className="text-muted">baseline</span>
  if (against.kind === 'refused')
    return (
      <span className="text-muted" title={against.said}>
        not comparable
      </span>
    )
  const { mark, word, tone } = VERDICTS[against.kind]
  return (
    <span className="block leading-tight" title={against.said}>
      <span className={classNames('whitespace-nowrap font-medium', tone)}>
        <span aria-hidden="true">{mark}</span> {formatPoints(against.difference)} {word}
      </span>
      {listRatios(against).map((text) => (
        <span key={text} className="block whitespace-nowrap text-muted text-xs">
          {text}
        </span>
      ))}
    </span>
  )
}

function formatPoints(difference: number): string {
  const text = (100 * Math.abs(difference)).toFixed(1)
  if (text === '0.0') return text
  return difference < 0 ? `−${text}` : `+${text}`
}

/** `cost ×0.80 (0.61–1.10)`: per success, with the 95 % interval. */
function listRatios({ cost, time }: Extract<RowAgainst, { cost: unknown }>): string[] {
  return Object.entries({ cost, time }).flatMap(([what, ratio]) => {
    if (ratio === null) return []
    const high = ratio.high === null ? '∞' : ratio.high.toFixed(2)
    return [`${what} ×${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)}–${high})`]
  })
}
