import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import {
  formatCompact,
  formatCount,
  formatDay,
  formatDollars,
  formatDuration,
  formatInstant,
  UNKNOWN,
  visibleText,
} from '#components/ui/format.ts'
import {
  type BoardRow,
  COLUMN_IDS,
  type ColumnId,
  EVIDENCE_WORDS,
  formatShape,
  PROVENANCE_WORDS,
} from '#lib/domain/board/index.ts'
import { countOf, shortNumber } from '#lib/domain/record/index.ts'
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
  /** Left out where the table is a little too narrow for all. */
  wide?: true
  /** Its name on a card; null = its content says what it is, absent = the column's own. */
  label?: string | null
} & ({ figure: (row: BoardRow) => CellMetric } | { Cell: (props: CellProps) => ReactNode })

export const BOARD_CELLS: Readonly<Record<ColumnId, BoardCell>> = {
  rank: { width: 'w-[5.25rem]', label: null, Cell: RankCell },
  subject: { width: 'w-auto', span: 'col-span-3 pr-9', label: null, Cell: SubjectCell },
  model: { width: 'w-[8.75rem]', span: 'col-start-2 col-span-2', label: null, Cell: ModelCell },
  version: { width: 'w-[5.25rem]', wide: true, label: null, Cell: VersionCell },
  success: { width: 'w-[15rem]', span: 'col-span-4', label: null, Cell: SuccessCell },
  cost: { width: 'w-[6.5rem]', label: '$ / success', figure: costCell },
  tokens: {
    width: 'w-[4.75rem]',
    figure: (row) =>
      figure(row.tokensPerSuccess, formatCompact, (n) => `${countOf(n, 'token')} per success`),
  },
  p50: { width: 'w-[5.5rem]', wide: true, figure: (row) => timeFigure(row.solvedMs.p50, 'Median') },
  p95: { width: 'w-[5.5rem]', figure: (row) => timeFigure(row.solvedMs.p95, '95th percentile') },
  provenance: { width: 'w-[7rem]', span: 'col-span-2', Cell: ProvenanceCell },
  samples: { width: 'w-[6rem]', label: 'Tasks × runs', figure: samplesFigure },
  date: { width: 'w-[6.25rem]', span: '-mr-3', wide: true, figure: dateFigure },
  evidence: { width: 'w-[8rem]', span: 'col-span-4', label: null, Cell: EvidenceCell },
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

/**
 * Cost per success; a subscription says that it is one, whether its calls were seen or not, and a price by the user's
 * own word is marked: it may be any.
 */
export function costCell({
  costPerSuccessMicroUsd: cost,
  costPerSuccessInterval: interval,
  success,
  settings,
  givenPrices = [],
}: BoardRow): CellMetric {
  if (settings.login !== undefined)
    return { text: 'flat', title: 'Paid by a subscription, not by the token' }
  if (cost === null && success.rate === 0) return { text: UNKNOWN, title: 'No successes' }
  const isGiven = cost !== null && givenPrices.length > 0
  const of = isGiven ? `, at a price given by its user (${givenPrices.join(', ')})` : ''
  const shown = (n: number | null) => `${formatDollars(n)}${isGiven ? '*' : ''}`
  return figure(cost, shown, (n) => {
    const bounds = interval ? ` (95 % confidence interval ${costBounds(interval)})` : ''
    return `${exactDollars(n)}${bounds}: total cost of ${countOf(success.attempts, 'scored episode')} divided by successes${of}`
  })
}

function costBounds({ lowMicroUsd, highMicroUsd }: CostInterval): string {
  return `${exactDollars(lowMicroUsd)}–${highMicroUsd === null ? '∞' : exactDollars(highMicroUsd)}`
}

function exactDollars(microUsd: number): string {
  return `$${shortNumber(microUsd / 1e6)}`
}

type CostInterval = NonNullable<BoardRow['costPerSuccessInterval']>

function timeFigure(ms: number | null, share: string): CellMetric {
  return figure(
    ms,
    formatDuration,
    (n) => `${share} time of the solved episodes: ${formatDuration(n)}`,
  )
}

function samplesFigure(row: BoardRow): CellMetric {
  const { success } = row
  const solved = row.tasks.reduce((sum, task) => sum + task.solved, 0)
  return {
    text: formatShape(row),
    title: `${countOf(success.tasks, 'task')}; ${formatCount(solved)} of ${countOf(success.attempts, 'scored episode')} solved`,
  }
}

function dateFigure({ lastStartedAt }: BoardRow): CellMetric {
  return { text: formatDay(lastStartedAt), title: formatInstant(lastStartedAt) }
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
    <span
      className={classNames('lg:whitespace-nowrap', values[id] === null && 'text-muted')}
      title={figures[id]?.title}
    >
      {figures[id]?.text}
    </span>
  )
}

function RankCell({ row: { rank, ties } }: CellProps) {
  return (
    <span title={rank.title}>
      {rank.text}
      {ties === null ? null : (
        <>
          {' '}
          <span className="whitespace-nowrap text-muted text-xs" data-ties>
            {ties}
          </span>
        </>
      )}
    </span>
  )
}

function SubjectCell({ row: { subject, apart } }: CellProps) {
  const name = visibleText(subject.name)
  const rest = [subject.under, ...apart]
    .filter((part) => part !== null)
    .map(visibleText)
    .join(' · ')
  return (
    <span
      className="block min-w-0 normal-nums leading-tight"
      title={[name, rest].filter(Boolean).join(' · ')}
    >
      <a
        className={classNames(
          'untrusted block font-semibold hover:underline',
          name.length > LONG_NAME && 'text-xs leading-tight',
        )}
        href={`/agents/${encodeURIComponent(subject.name)}`}
      >
        {name}
      </a>
      {rest ? <span className="untrusted block text-muted text-xs">{rest}</span> : null}
    </span>
  )
}

function ModelCell({ row: { subject } }: CellProps) {
  const model = subject.model === null ? null : visibleText(subject.model)
  if (model === null) return <span className="text-muted">{subject.way ?? UNKNOWN}</span>
  const { modelRequested } = subject
  // The most important word of a row is never cut: a long one breaks.
  const style = classNames('untrusted block', model.length > LONG_MODEL && 'text-xs leading-tight')
  if (modelRequested === null) return <span className={style}>{model}</span>
  return (
    <a
      className={classNames(style, 'hover:underline')}
      href={`/models/${encodeURIComponent(modelRequested)}`}
    >
      {model}
    </a>
  )
}

const LONG_NAME = 26
const LONG_MODEL = 20
const LONG_VERSION = 10

function VersionCell({ row: { subject } }: CellProps) {
  const version = visibleText(subject.version ?? UNKNOWN)
  return (
    <span
      className={classNames(
        'untrusted block text-muted',
        version.length > LONG_VERSION && 'text-xs leading-tight',
      )}
    >
      {version}
    </span>
  )
}

function SuccessCell(props: CellProps) {
  const { notices } = props.row
  return (
    <>
      <Success {...props} />
      {notices.length > 0 ? (
        <span className="block text-muted text-xs leading-4" data-notices>
          {notices.join(' · ')}
        </span>
      ) : null}
    </>
  )
}

function Success({ row: { success, values, pool } }: CellProps) {
  return (
    <span
      className="flex flex-wrap items-center gap-2.5 lg:grid lg:grid-cols-[6.5rem_minmax(6rem,1fr)] [&>svg]:flex-1"
      title={success.title}
    >
      <span className="whitespace-nowrap lg:text-right">
        <span className="font-semibold text-base">{success.text}</span>
        {values.success === null ? null : <span className="lg:sr-only"> %</span>}
        {success.spread ? (
          <span className="inline-block pl-1 text-muted text-xs lg:w-14 lg:text-left">
            {success.spread}
          </span>
        ) : null}
      </span>
      <Whisker
        bar
        high={success.high}
        low={success.low}
        rate={values.success}
        solid={pool !== null}
      />
      <span className="sr-only">confidence interval {success.interval}</span>
    </span>
  )
}

function EvidenceCell({ row, open, onToggle }: CellProps) {
  return (
    <>
      <button
        aria-expanded={open}
        className="-mx-1.5 inline-flex h-7 max-w-full whitespace-nowrap items-center gap-1.5 rounded px-1.5 hover:bg-sunken aria-expanded:bg-sunken"
        onClick={onToggle}
        title={[EVIDENCE_WORDS[row.label].meaning, ...row.codes].join('\n')}
        type="button"
      >
        <EvidenceGlyph label={row.label} />
        {EVIDENCE_WORDS[row.label].word}
        <span className="sr-only">, reasons and details of {visibleText(row.subject.name)}</span>
        <svg
          aria-hidden="true"
          className={classNames('size-3 shrink-0', open && 'rotate-180')}
          viewBox="0 0 12 12"
        >
          <path d="m3 4.5 3 3 3-3" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </button>
      <RowOrigin row={row} />
      <noscript>
        <a className="link" href={`/rows/${row.id}`}>
          details
        </a>
      </noscript>
    </>
  )
}

/** The origin of a row that did not run here, and its number of corrections. */
function RowOrigin({ row: { provenance, corrections } }: Pick<CellProps, 'row'>) {
  const sent = provenance === 'local' ? null : PROVENANCE_WORDS[provenance]
  if (!sent && !corrections) return null
  return (
    <span className="inline text-muted text-xs lg:block lg:leading-tight">
      {sent ? <span title={sent.meaning}>sent ({sent.word})</span> : null}
      {sent && corrections ? ' · ' : null}
      {corrections ? (
        <a
          className="whitespace-nowrap hover:underline"
          href={corrections.path}
          title={corrections.title}
        >
          {corrections.text}
        </a>
      ) : null}
    </span>
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
