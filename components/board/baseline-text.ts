import type { AgainstBaseline, RowAgainst } from '#lib/domain/compare/index.ts'
import { formatRatio, type TableCell } from '#lib/domain/text/index.ts'

export const VERDICTS = {
  better: { mark: '▲', word: 'better', tone: 'text-good' },
  worse: { mark: '▼', word: 'worse', tone: 'text-bad' },
  'no-larger-than': { mark: '=', word: 'about equal', tone: 'text-ink' },
  'cannot-tell': { mark: '○', word: 'not significant', tone: 'text-muted' },
} as const

/** Formats ratios per success with the 95 % interval: `cost ×0.80 (0.61–1.10)`. */
export function listRatios({ cost, time }: Extract<RowAgainst, { cost: unknown }>): string[] {
  return Object.entries({ cost, time }).flatMap(([what, ratio]) =>
    ratio === null ? [] : [`${what} ${formatRatio(ratio)}`],
  )
}

/** Columns about the baseline in exports of the table. */
export const BASELINE_FIELDS = [
  'baseline_difference',
  'baseline_verdict',
  ...['cost', 'time'].flatMap((what) => ['', '_low', '_high'].map((end) => `${what}_ratio${end}`)),
]

/** The cells of these columns; unknown values are empty. */
export function againstCells(against: AgainstBaseline[string] | undefined): TableCell[] {
  if (!against || against.kind === 'baseline' || against.kind === 'refused') {
    const verdict = against?.kind === 'refused' ? 'not comparable' : (against?.kind ?? null)
    return [null, verdict, ...EMPTY_RATIO, ...EMPTY_RATIO]
  }
  const { kind, difference, cost, time } = against
  const ratios = [cost, time].flatMap((one) => (one ? [one.value, one.low, one.high] : EMPTY_RATIO))
  return [difference, VERDICTS[kind].word, ...ratios]
}

const EMPTY_RATIO = [null, null, null]

/** Number of verdicts on a board with a baseline. */
export function countTested(against: AgainstBaseline): number {
  return Object.values(against).filter(({ kind }) => kind !== 'baseline' && kind !== 'refused')
    .length
}
