import Link from 'next/link'
import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import {
  formatCompact,
  formatCount,
  formatDuration,
  formatSeconds,
  formatUsd,
  UNKNOWN,
  visibleText,
} from '#components/ui/format.ts'
import {
  type BoardRow,
  COLUMN_IDS,
  type ColumnId,
  EVIDENCE_WORDS,
  PROVENANCE_WORDS,
} from '#lib/domain/board/index.ts'
import { Whisker } from '../charts/whisker.tsx'
import type { CellMetric, TableRow } from './board-view.ts'
import { EvidenceGlyph } from './evidence.tsx'

type CellProps = { row: TableRow; open: boolean; onToggle: () => void }

/** How a column's cell is drawn: as a text that is made on the server, or by a component of its own. */
type BoardCell = {
  /** Of the column, on a wide screen. */
  width: string
  /** How much of a card's width it takes on a narrow one; absent = one of four parts. */
  span?: string
} & ({ figure: (row: BoardRow) => CellMetric } | { Cell: (props: CellProps) => ReactNode })

export const BOARD_CELLS: Readonly<Record<ColumnId, BoardCell>> = {
  rank: { width: 'w-[5.25rem]', Cell: RankCell },
  subject: { width: 'w-auto', span: 'col-span-3', Cell: SubjectCell },
  success: { width: 'w-[24rem]', span: 'col-span-4', Cell: SuccessCell },
  evidence: { width: 'w-[10.75rem]', span: 'col-span-4', Cell: EvidenceCell },
  cost: { width: 'w-[4.75rem]', figure: costFigure },
  tokens: {
    width: 'w-[4.75rem]',
    figure: (row) =>
      figure(row.tokensPerSuccess, formatCompact, (n) => `${formatCount(n)} tokens per success`),
  },
  p50: { width: 'w-[4rem]', figure: (row) => timeFigure(row.solvedMs.p50, 'Median') },
  p95: { width: 'w-[4rem]', figure: (row) => timeFigure(row.solvedMs.p95, '95th percentile') },
  provenance: { width: 'w-[7rem]', span: 'col-span-4', Cell: ProvenanceCell },
}

/** The texts of a row's plain cells; made on the server. */
export function rowFigures(row: BoardRow): TableRow['figures'] {
  return Object.fromEntries(
    COLUMN_IDS.flatMap((id) => {
      const cell = BOARD_CELLS[id]
      return 'figure' in cell ? [[id, cell.figure(row)]] : []
    }),
  )
}

function costFigure({ costPerSuccessMicroUsd: cost, success, settings }: BoardRow): CellMetric {
  if (settings.login !== undefined)
    return { text: 'flat', title: 'Paid by a subscription, not by the token' }
  if (cost === null && success.rate === 0) return { text: UNKNOWN, title: 'No successes' }
  return figure(cost, formatUsd, (n) => `${n / 1e6} USD: total cost divided by successes`)
}

function timeFigure(ms: number | null, share: string): CellMetric {
  return figure(
    ms,
    formatSeconds,
    (n) => `${share} time of the solved episodes: ${formatDuration(n)}`,
  )
}

function figure(
  value: number | null,
  format: (value: number | null) => string,
  explain: (value: number) => string,
): CellMetric {
  return { text: format(value), title: value === null ? 'Unknown' : explain(value) }
}

/** One cell's content; the evidence cell is the button that opens the row's reasons. */
export function RowCell({ id, ...props }: CellProps & { id: ColumnId }) {
  const cell = BOARD_CELLS[id]
  if ('Cell' in cell) return <cell.Cell {...props} />
  const { figures, values } = props.row
  return (
    <span className={values[id] === null ? 'text-muted' : undefined} title={figures[id]?.title}>
      {figures[id]?.text}
    </span>
  )
}

function RankCell({ row: { rank, letters } }: CellProps) {
  return (
    <span title={rank.title}>
      {rank.text}
      {letters === null ? null : (
        <>
          {' '}
          <span className="text-muted text-xs" data-letters={letters}>
            {letters}
          </span>
        </>
      )}
    </span>
  )
}

function SubjectCell({ row: { subject, runIds, isolation } }: CellProps) {
  const run = runIds.at(-1)
  const { way, under, model, version } = subject
  const rest = [way, ...(way ? [under, model, version] : [version, model, under]), isolation]
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <span className={way ? 'block min-w-0' : 'flex min-w-0 items-baseline gap-2'}>
      {run ? (
        <Link
          className="link max-w-[65%] shrink-0 truncate font-medium"
          href={`/runs/${run}`}
          prefetch={false}
        >
          {visibleText(subject.name)}
        </Link>
      ) : (
        <span className="max-w-[65%] shrink-0 truncate font-medium">
          {visibleText(subject.name)}
        </span>
      )}
      <span
        className={classNames('untrusted min-w-0 truncate text-muted', way && 'block text-xs')}
        title={rest}
      >
        {rest}
      </span>
    </span>
  )
}

function SuccessCell({ row: { success, values, samples, count, pool, coverage } }: CellProps) {
  return (
    <span
      className="grid grid-cols-[max-content_minmax(6rem,1fr)_max-content] items-center gap-2.5 lg:grid-cols-[6.25rem_minmax(6rem,1fr)_9rem]"
      title={success.title}
    >
      <span className="whitespace-nowrap lg:text-right">
        <span className="font-medium">{success.text}</span>
        {values.success === null ? null : <span className="lg:sr-only"> %</span>}
        {success.spread ? <span className="text-muted"> {success.spread}</span> : null}
      </span>
      <Whisker high={success.high} low={success.low} rate={values.success} solid={pool !== null} />
      <span className="text-muted lg:whitespace-nowrap text-xs">
        <span className="whitespace-nowrap">
          <span className="text-ink">{count}</span> ({samples})
        </span>
        {coverage ? (
          <span
            className="block w-0 min-w-full text-[0.6875rem] leading-tight lg:truncate"
            title={coverage}
          >
            {coverage}
          </span>
        ) : null}
      </span>
      <span className="sr-only">confidence interval {success.interval}</span>
    </span>
  )
}

function EvidenceCell({ row, open, onToggle }: CellProps) {
  const codes = row.refusals.map(({ code }) => code).join(', ')
  return (
    <button
      aria-expanded={open}
      className="-mx-1.5 inline-flex h-7 max-w-full items-center gap-1.5 rounded px-1.5 hover:bg-sunken aria-expanded:bg-sunken"
      onClick={onToggle}
      title={
        row.refusals.map(({ reason }) => reason).join('\n') || EVIDENCE_WORDS[row.label].meaning
      }
      type="button"
    >
      <EvidenceGlyph label={row.label} />
      {EVIDENCE_WORDS[row.label].word}
      <span className="min-w-0 truncate text-muted text-xs">{codes}</span>
      <span className="sr-only">, reasons and details of {visibleText(row.subject.name)}</span>
      <svg
        aria-hidden="true"
        className={classNames('size-3 shrink-0', open && 'rotate-180')}
        viewBox="0 0 12 12"
      >
        <path d="m3 4.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>
    </button>
  )
}

function ProvenanceCell({ row }: CellProps) {
  const { level, word, meaning } = PROVENANCE_WORDS[row.provenance]
  return (
    <span className="whitespace-nowrap" title={`${level}: ${meaning}`}>
      <span className="mr-1.5 rounded border border-line px-1 text-muted text-xs">{level}</span>
      {word}
    </span>
  )
}
