import { type SortingState, useTable } from '@tanstack/react-table'
import { useMemo } from 'react'
import { boardColumns, boardFeatures } from './board-columns.ts'
import type { BoardView } from './board-view.ts'
import type { TableRow } from './table-row.ts'

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
