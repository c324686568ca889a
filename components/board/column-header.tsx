import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { BOARD_COLUMNS, COLUMN_IDS, type ColumnId } from '#lib/domain/board/index.ts'
import { classNames } from '../ui/class-names.ts'
import type { BoardView, Sort, TableRow } from './board-view.ts'
import { BOARD_CELLS } from './row-cells.tsx'

const boardFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

const boardColumns: ColumnDef<typeof boardFeatures, TableRow>[] = COLUMN_IDS.map((id) => ({
  id,
  header: BOARD_COLUMNS[id].label,
  accessorFn: (row) => row.values[id] ?? undefined,
  sortUndefined: 'last' as const,
  sortDescFirst: BOARD_COLUMNS[id].descends ?? false,
  sortFn: (a, b, column) => compare(a.getValue(column), b.getValue(column)),
}))

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

/** Rows sorted as the view asks, and among equals by success; without the columns it hides. */
export function useBoardTable(rows: TableRow[], { sort, hide }: Pick<BoardView, 'sort' | 'hide'>) {
  const sorting = useMemo<SortingState>(
    () => [
      { id: sort.column, desc: sort.descending },
      ...(sort.column === 'success' ? [] : [{ id: 'success', desc: true }]),
    ],
    [sort.column, sort.descending],
  )
  const columnVisibility = useMemo(() => Object.fromEntries(hide.map((id) => [id, false])), [hide])
  return useTable({
    features: boardFeatures,
    columns: boardColumns,
    data: rows,
    getRowId: (row) => row.id,
    state: { sorting, columnVisibility },
  })
}

type ColumnHeaderProps = { id: ColumnId; sort: Sort; onSort: (sort: Sort) => void }

/** A column's name and unit; pressing it sorts, pressing it again turns the order round. */
export function ColumnHeader({ id, sort, onSort }: ColumnHeaderProps) {
  const { label, unit, title, numeric, descends = false } = BOARD_COLUMNS[id]
  const active = sort.column === id
  const next = { column: id, descending: active ? !sort.descending : descends }
  return (
    <th
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'border-line-strong border-b bg-bg p-0 font-normal',
        numeric ? 'text-right' : 'text-left',
        BOARD_CELLS[id].width,
      )}
      scope="col"
    >
      <button
        className={classNames(
          'inline-flex h-9 items-center gap-1 whitespace-nowrap px-2.5 text-xs hover:text-ink',
          active ? 'font-medium text-ink' : 'text-muted',
        )}
        onClick={() => onSort(next)}
        title={title}
        type="button"
      >
        {label}
        {unit ? `, ${unit}` : null}
        <svg
          aria-hidden="true"
          className={classNames(
            'size-2.5',
            !active && 'invisible',
            active && sort.descending && 'rotate-180',
          )}
          viewBox="0 0 10 10"
        >
          <path d="M5 2 9 8H1Z" fill="currentColor" />
        </svg>
      </button>
    </th>
  )
}
