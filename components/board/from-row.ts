import { UNKNOWN } from '#components/ui/format.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import type { CellMetric, ReadCell, TableRow } from './table-row.ts'

/** The parts of a column whose value comes from one function of the row; null = unknown. */
export function fromRow(id: string, read: (row: BoardRow) => ReadCell | null) {
  const cellOf = ({ read: cells }: TableRow) => cells?.[id] ?? null
  return {
    read,
    sort: (row: TableRow) => cellOf(row)?.value ?? null,
    facet: (row: TableRow) => cellOf(row)?.word ?? null,
    figure: (row: TableRow): CellMetric => cellOf(row) ?? { text: UNKNOWN, title: 'Unknown' },
  }
}
