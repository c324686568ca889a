import type { ReactNode } from 'react'
import { PickAll, PickBox } from '#components/compare/compare-controls.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { DataColumn } from '#components/ui/data-column.ts'
import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { baselineColumn } from './baseline.tsx'
import { BOARD_COLUMNS, COLUMN_IDS, type ColumnId } from './board-columns.tsx'
import type { BandRows } from './board-view.ts'
import type { TableRow } from './table-row.ts'

/** Hidden when the column of a baseline needs their width. */
const ROOM_FOR_BASELINE: readonly ColumnId[] = ['version', 'date']

type LeaderboardColumns = {
  rows: readonly TableRow[]
  onToggle: (rowId: string) => void
  /** Null = no baseline is chosen. */
  against: AgainstBaseline | null
}

/** The columns of the board's table. */
export function leaderboardColumns(options: LeaderboardColumns): DataColumn<TableRow>[] {
  const { rows, against } = options
  const ids = against ? COLUMN_IDS.filter((id) => !ROOM_FOR_BASELINE.includes(id)) : COLUMN_IDS
  const entries = entriesHead(rows)
  return [
    {
      id: 'select',
      name: 'Select',
      head: (
        <>
          <PickAll rowIds={rows.map(({ id }) => id)} />
          {/* Published pages hide the checkbox. */}
          <span className="sr-only">Select</span>
        </>
      ),
      label: null,
      isFixed: true,
      cell: ({ id, subject }) => <PickBox name={subject.name} rowId={id} />,
      headClass: 'relative w-8 pl-2 max-lg:hidden',
      cellClass: 'absolute top-3 right-3 print:invisible lg:static lg:pl-2',
    },
    ...ids.map((id) => toDataColumn(id, options, id === 'subject' ? entries : undefined)),
    ...(against ? [baselineColumn(against)] : []),
  ]
}

function toDataColumn(
  id: ColumnId,
  { onToggle }: LeaderboardColumns,
  head: string | undefined,
): DataColumn<TableRow> {
  const column = BOARD_COLUMNS[id]
  const { label, unit, title, card, facet, span, wide, width } = column
  return {
    id,
    head: head ?? label,
    unit,
    title,
    ...(card !== undefined && { label: card }),
    ...(column.numeric && { numeric: true }),
    ...(column.descends && { descends: true }),
    ...(column.extra && { extra: true }),
    ...(column.fixed && { isFixed: true }),
    ...(facet && { facet }),
    ...(id === 'subject' && { isPinned: true }),
    ...(id === 'success' && { headAside: <RateAxis /> }),
    sort: column.sort,
    cell: (row, isOpen) =>
      'Cell' in column ? (
        <column.Cell isOpen={isOpen} onToggle={onToggle} row={row} />
      ) : (
        column.figure(row).text
      ),
    cellTitle: (row) => ('figure' in column ? column.figure(row).title : column.cellTitle?.(row)),
    className: wide && 'lg:max-xl:hidden!',
    headClass: classNames('whitespace-nowrap', width),
    cellClass:
      'figure' in column
        ? (row) =>
            classNames(span, 'lg:whitespace-nowrap', column.sort(row) === null && 'text-muted')
        : span,
  }
}

/** Heading of the first column, by the kinds of the rows. */
function entriesHead(rows: readonly TableRow[]): string | undefined {
  const kinds = new Set(rows.map(({ subject }) => subject.kind))
  kinds.delete('control')
  if (kinds.size !== 1) return undefined
  return kinds.has('agent') ? 'Agent' : 'Library'
}

/** The heading of a band. Its rows are ranked and sorted among themselves. */
export function BandHead({ band: { title, aside }, total }: BandRows): ReactNode {
  return (
    <>
      <span className="font-semibold text-ink">{title}</span> · {aside} · {total}
    </>
  )
}

/**
 * A band spans all columns, including those without cells between `lg` and `xl`. The cells move up, so the last columns
 * are without cells; they get no width, or the table would end before its frame.
 */
export function ColumnWidths({ columns }: { columns: readonly DataColumn<TableRow>[] }) {
  const withoutCells = columns.filter(({ id }) =>
    COLUMN_IDS.some((one) => one === id && BOARD_COLUMNS[one].wide),
  ).length
  return (
    <colgroup className="hidden lg:table-column-group">
      <col span={columns.length - withoutCells} />
      {withoutCells > 0 ? <col className="lg:max-xl:w-0" span={withoutCells} /> : null}
    </colgroup>
  )
}

/** The common scale of all bars in the column. */
function RateAxis() {
  return (
    <span
      aria-hidden="true"
      className="hidden flex-1 justify-between pl-2.5 text-[0.6875rem] text-muted lg:flex"
    >
      <span>0</span>
      <span>50</span>
      <span>100</span>
    </span>
  )
}
