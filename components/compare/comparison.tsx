import type { ReactNode } from 'react'
import { type EntryStyle, EVIDENCE_WORDS, formatRepetitions } from '#lib/domain/board/index.ts'
import {
  COMPARISON_FORMATS,
  type ComparedRow,
  type ComparisonEligibility,
  type ComparisonFormat,
  comparePath,
  isClaim,
  type PairView,
} from '#lib/domain/compare/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import type { CompareVerdict } from '#lib/domain/statistics/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import { EvidenceGlyph } from '../board/evidence.tsx'
import { Whisker } from '../charts/whisker.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CopyButton } from '../ui/controls.tsx'
import { formatInterval, formatPercent, percentOf, visibleText } from '../ui/format.ts'
import { ArrowLeftRight, Download, X } from '../ui/icons.tsx'

/** Placeholder for this site's address, which the browser replaces when copying. */
const ORIGIN = '{origin}'

type CompareToolbarProps = {
  rowIds: readonly string[]
  pair: number
  /** Rows of the same version that can be added; none at the limit. */
  addable: readonly { rowId: string; name: string }[]
}

/** Add an entry, swap sides, copy the link, download. Only copying needs JavaScript. */
export function CompareToolbar({ rowIds, pair, addable }: CompareToolbarProps) {
  const turned = comparePath([...rowIds].reverse())
  return (
    <div className="on-screen mt-6 flex flex-wrap items-center gap-2">
      {addable.length > 0 ? (
        <form action="/compare" className="flex min-w-0 max-w-full gap-2" method="get">
          <input name="rows" type="hidden" value={rowIds.join(',')} />
          <label className="min-w-0">
            <span className="sr-only">Entry to add</span>
            <select
              className="h-8 w-full max-w-72 rounded border border-line-strong bg-surface px-2"
              defaultValue=""
              name="rows"
              required
            >
              <option value="">Add an entry…</option>
              {addable.map(({ rowId, name }) => (
                <option key={rowId} value={rowId}>
                  {visibleText(name)}
                </option>
              ))}
            </select>
          </label>
          <Button type="submit">Add</Button>
        </form>
      ) : null}
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <a
          className="inline-flex h-8 items-center gap-1.5 rounded border border-line bg-surface px-2.5 hover:border-line-strong"
          href={turned}
          title="Swap sides: A − B becomes B − A"
        >
          <ArrowLeftRight aria-hidden size={14} />
          {rowIds.length === 2 ? 'Swap sides' : 'Reverse order'}
        </a>
        <CopyButton
          label="Copy link"
          origin={ORIGIN}
          text={`${ORIGIN}${comparePath(rowIds, pair)}`}
        />
        <Downloads rowIds={rowIds} />
      </div>
    </div>
  )
}

const DOWNLOADS: Record<ComparisonFormat, string> = {
  pairs: 'Pairs, CSV',
  tasks: 'Tasks, CSV',
  markdown: 'Markdown',
}

/** Files of the comparison as shown. */
function Downloads({ rowIds }: { rowIds: readonly string[] }) {
  return (
    <p className="inline-flex min-h-8 flex-wrap items-center gap-x-3 rounded border border-line bg-surface px-2.5">
      <span className="inline-flex items-center gap-1.5 text-muted">
        <Download aria-hidden size={14} />
        Export
      </span>
      {COMPARISON_FORMATS.map((format) => (
        <a
          className="link"
          download
          href={`/api/v1${comparePath(rowIds)}&format=${format}`}
          key={format}
        >
          {DOWNLOADS[format]}
        </a>
      ))}
    </p>
  )
}

type ComparedRowsProps = {
  rows: readonly ComparedRow[]
  /** Styles of the entries, keyed by row id. */
  styles: ReadonlyMap<string, EntryStyle>
}

/** The compared rows in order, each with a link to remove it. */
export function ComparedRows({ rows, styles }: ComparedRowsProps) {
  const rowIds = rows.map(({ rowId }) => rowId)
  return (
    <ul className="border-line border-b">
      {rows.map((row) => (
        <ComparedLine
          colour={styles.get(row.rowId)?.colour}
          key={row.rowId}
          row={row}
          without={comparePath(rowIds.filter((rowId) => rowId !== row.rowId))}
        />
      ))}
    </ul>
  )
}

type ComparedLineProps = { row: ComparedRow; colour: number | undefined; without: string }

function ComparedLine({ row, colour, without }: ComparedLineProps) {
  const { subject, success, label } = row
  const name = visibleText(row.name)
  const run = row.runIds.at(-1)
  const rest = [subject.version, modelLabel(subject), formatWay(row)].filter(
    (part) => part !== null,
  )
  return (
    <li className="grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line border-t py-2 lg:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1fr)_auto] lg:py-0.5">
      <span className="untrusted min-w-0">
        {run ? (
          <a className="link font-medium" href={`/runs/${run}`}>
            {name}
          </a>
        ) : (
          <span className="font-medium">{name}</span>
        )}{' '}
        <span className="text-muted">{rest.map(visibleText).join(' · ')}</span>
      </span>
      <span
        className="flex items-center gap-1.5 max-lg:col-start-1"
        title={EVIDENCE_WORDS[label].meaning}
      >
        <EvidenceGlyph label={label} />
        {EVIDENCE_WORDS[label].word}
      </span>
      <span
        className="flex flex-wrap items-center gap-2.5 [&>svg]:flex-1 max-lg:col-span-2 lg:grid lg:grid-cols-[2.75rem_minmax(5rem,1fr)_max-content]"
        title={`${percentOf(success.rate)} (95\u00a0% confidence interval ${formatInterval(success.low, success.high)}) · ${success.method}`}
      >
        <span className="min-w-11 font-medium lg:text-right">{formatPercent(success.rate)}</span>
        <Whisker
          colour={colour}
          high={success.high}
          low={success.low}
          rate={success.rate}
          solid={isClaim(label)}
        />
        <span className="whitespace-nowrap text-muted text-xs">
          {countOf(success.tasks, 'task')} × {formatRepetitions(row)}
        </span>
      </span>
      <a
        aria-label={`Remove ${name}`}
        className="inline-flex size-8 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink max-lg:col-start-2 max-lg:row-start-1"
        href={without}
        title={`Remove ${name}`}
      >
        <X aria-hidden size={16} />
      </a>
    </li>
  )
}

/** Says whether the verdicts are safe to cite; `claims` = pairs that are safe to cite on their own. */
export function CitationNote({
  standing,
  claims,
}: {
  standing: ComparisonEligibility
  claims: number
}) {
  if (standing.kind === 'claim') {
    return (
      <p className="flex items-baseline gap-2">
        <EvidenceGlyph label="primary" />
        <span>
          <span className="font-medium">Safe to cite.</span>{' '}
          <span className="text-muted">{standing.text}</span>
        </span>
      </p>
    )
  }
  return (
    <div className="flex items-baseline gap-2">
      <EvidenceGlyph label="diagnostic" />
      <div className="min-w-0">
        <p className="font-medium">
          {claims === 0
            ? 'Diagnostic only. These verdicts are not safe to cite.'
            : `Diagnostic overall. ${countOf(claims, 'pair')} with a filled marker ${pluralForm(claims, 'is', 'are')} safe to cite.`}
        </p>
        <ul className="text-muted">
          {standing.reasons.map((reason) => (
            <li className="untrusted" key={reason}>
              {visibleText(reason)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The verdict of each pair as a sentence, comparisons with the first entry first. */
export function VerdictList({ pairs }: { pairs: readonly PairView[] }) {
  return (
    <ul className="space-y-1">
      {pairs.map(({ a, b, sentence, decide, details, result }) => (
        <li className="flex items-baseline gap-2.5 text-base" key={`${a} ${b}`}>
          <VerdictGlyph kind={result.ok ? result.verdict.kind : 'refused'} />
          <div>
            <span className="untrusted">{visibleText(sentence)}</span>{' '}
            {decide ? <span className="text-muted">{decide.sentence}</span> : null}
            <details className="text-muted text-sm">
              <summary className="min-h-6 hover:text-ink">Details</summary>
              {details}
            </details>
          </div>
        </li>
      ))}
    </ul>
  )
}

type VerdictKind = CompareVerdict['kind'] | 'refused'

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
} as const

const SHAPES: Record<VerdictKind, ReactNode> = {
  better: <path d="M6 1.2 11.2 10.6H0.8Z" fill="currentColor" />,
  worse: <path d="M6 10.8 0.8 1.4H11.2Z" fill="currentColor" />,
  'no-larger-than': <path {...stroke} d="M1.5 4h9M1.5 8h9" />,
  'cannot-tell': <circle {...stroke} cx="6" cy="6" r="4.6" strokeDasharray="1.6 2.4" />,
  refused: <path {...stroke} d="m2.2 2.2 7.6 7.6M9.8 2.2 2.2 9.8" />,
}

const TONES: Partial<Record<VerdictKind, string>> = { better: 'text-good', worse: 'text-bad' }

/** The shape of a verdict; its text is always shown next to it. */
export function VerdictGlyph({ kind }: { kind: VerdictKind }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames('size-3 shrink-0', TONES[kind] ?? 'text-muted')}
      viewBox="0 0 12 12"
    >
      {SHAPES[kind]}
    </svg>
  )
}
