import type { NamedKind, NamedRow } from '#lib/domain/api/index.ts'
import {
  EVIDENCE_WORDS,
  formatConditions,
  formatShape,
  rankPoolOf,
  rowPath,
} from '#lib/domain/board/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { Whisker } from '../charts/whisker.tsx'
import { Table } from '../table/table.tsx'
import { durationColumn, textColumn } from '../ui/columns.tsx'
import type { DataColumn } from '../ui/data-column.ts'
import { formatDay, formatRate, UNKNOWN, visibleText } from '../ui/format.ts'
import { EvidenceGlyph } from './evidence.tsx'
import { costCell } from './row-figures.ts'

export type EntryTableProps = { kind: NamedKind; rows: readonly NamedRow[] }

/** The entries of one agent or model, with the suite of each. */
export function EntryTable({ kind, rows }: EntryTableProps) {
  const other: DataColumn<NamedRow> =
    kind === 'model'
      ? {
          head: 'Agent',
          sort: ({ row }) => row.subject.name,
          facet: ({ row }) => row.subject.name,
          cell: ({ row }) => (
            <a
              className="untrusted font-semibold hover:underline"
              href={`/agents/${encodeURIComponent(row.subject.name)}`}
            >
              {visibleText(row.subject.name)}
            </a>
          ),
        }
      : {
          head: 'Model',
          sort: modelOf,
          facet: modelOf,
          cell: ({ row }) => <ModelLink row={row} />,
        }
  const conditions = rows.some(({ row }) => formatConditions(row)) ? [CONDITIONS_COLUMN] : []
  return (
    <Table
      name={`entries-of-${kind}`}
      what="entry"
      cards="lg"
      cellClass="lg:px-2.5 lg:py-2"
      className="w-full border-line border-b bg-surface"
      headClass="border-line border-b px-2.5 py-2 text-muted text-xs"
      columns={[SUITE_COLUMN, other, ...conditions, ...ENTRY_COLUMNS]}
      keyOf={({ row }) => `${row.suiteDigest} ${row.rowId}`}
      rowProps={() => ({
        className: 'grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t px-3 py-3',
      })}
      rows={rows}
    />
  )
}

function modelOf({ row }: NamedRow): string | null {
  return row.subject.modelRequested ?? formatWay(row)
}

function ModelLink({ row }: Pick<NamedRow, 'row'>) {
  const model = row.subject.modelRequested
  if (model === null) return <span className="text-muted">{formatWay(row) ?? UNKNOWN}</span>
  return (
    <a className="untrusted hover:underline" href={`/models/${encodeURIComponent(model)}`}>
      {visibleText(model)}
    </a>
  )
}

const SUITE_COLUMN: DataColumn<NamedRow> = {
  head: 'Suite',
  sort: ({ suiteTitle }) => suiteTitle,
  facet: ({ suiteTitle }) => suiteTitle,
  cell: ({ row, suiteTitle, isCurrent }) => (
    <>
      <a
        className="link"
        href={rowPath(row.suiteId, row.rowId, isCurrent ? null : row.suiteDigest)}
      >
        {visibleText(suiteTitle)}
      </a>
      {isCurrent ? null : <span className="text-muted"> (earlier version)</span>}
    </>
  ),
  cellClass: 'col-span-2',
}

/** Shown only if an entry has conditions. */
const CONDITIONS_COLUMN: DataColumn<NamedRow> = textColumn(
  'Condition',
  ({ row }) => formatConditions(row),
  { title: 'The arm of its plan, a cold browser or a planned fault' },
)

const ENTRY_COLUMNS: readonly DataColumn<NamedRow>[] = [
  textColumn('Version', ({ row }) => row.subject.version),
  {
    head: 'Success',
    unit: '%',
    sort: ({ row }) => (row.success.rate === null ? null : row.success.rate * 100),
    descends: true,
    cell: ({ row: { success } }) => {
      const { rate, spread } = formatRate(success.rate, success.low, success.high)
      return (
        <>
          <span className="font-semibold">{rate}</span>{' '}
          <span className="text-muted text-xs">{spread}</span>
        </>
      )
    },
    cellTitle: ({ row }) => row.success.method,
    cellClass: 'lg:whitespace-nowrap',
  },
  {
    id: 'interval',
    head: <span className="sr-only">Interval</span>,
    label: null,
    cell: ({ row, style }) => (
      <Whisker bar colour={style?.colour} {...row.success} solid={rankPoolOf(row) !== null} />
    ),
    cellClass: 'col-span-3 lg:w-48',
  },
  {
    head: 'Cost / success',
    name: 'Cost / success, USD',
    sort: ({ row: { costPerSuccessMicroUsd: cost } }) => (cost === null ? null : cost / 1e6),
    cell: ({ row }) => costCell(row).text,
    cellTitle: ({ row }) => costCell(row).title,
    numeric: true,
  },
  durationColumn('Time p50', ({ row }) => row.solvedMs.p50),
  {
    head: 'Tasks × runs',
    sort: ({ row }) => row.success.attempts,
    csv: ({ row }) => formatShape(row),
    descends: true,
    cell: ({ row }) => formatShape(row),
    numeric: true,
  },
  {
    head: 'Date',
    sort: ({ row }) => row.lastStartedAt,
    descends: true,
    cell: ({ row }) => formatDay(row.lastStartedAt),
    cellClass: 'whitespace-nowrap',
  },
  {
    head: 'Evidence',
    sort: ({ row: { label } }) => EVIDENCE_WORDS[label].word,
    facet: ({ row: { label } }) => EVIDENCE_WORDS[label].word,
    cell: ({ row: { label } }) => (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
        <EvidenceGlyph label={label} />
        {EVIDENCE_WORDS[label].word}
      </span>
    ),
  },
]
