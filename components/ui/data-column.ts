import type { ReactNode } from 'react'
import type { TableCell } from '#lib/domain/record/index.ts'

/** What a column is known by; absent = its head. */
type ColumnHead = { head: string; id?: string } | { head: ReactNode; id: string }

/** A column as data, all of it in one place: its header, its cell for a row, its order, its filter and its field in files. */
export type DataColumn<Row> = ColumnHead & {
  cell: (row: Row, index: number) => ReactNode
  /** Its name in menus and in files; absent = its head. */
  name?: string
  /** Stands behind the name. */
  unit?: string | undefined
  /** Sorts by this value; absent = it does not sort. Null = unknown, last in either direction. */
  sort?: (row: Row) => TableCell
  /** The first press sorts downwards. */
  descends?: true
  /** Its field in a file; absent = the value that sorts, null = none. */
  csv?: ((row: Row) => TableCell) | null
  /** Rows can be filtered by this word; null = the row has none. */
  facet?: (row: Row) => string | null
  /** Hidden until it is chosen. */
  extra?: true
  /** Beside the name in the head. */
  headAside?: ReactNode
  /** Always shown: without it a row cannot be read. */
  isFixed?: true
  /** Tooltips of the head and of a cell. */
  title?: string | undefined
  cellTitle?: (row: Row) => string | undefined
  /** Set, its cells are the headers of their rows, in this weight. */
  rowHeader?: 'font-normal' | 'font-medium'
  /** Aligned to the right. */
  numeric?: boolean
  /** Classes of head and cells, of the head alone, and of the cells alone. */
  className?: string | undefined
  headClass?: string | undefined
  cellClass?: string | ((row: Row) => string | undefined) | undefined
  /** What names the fact on a card; absent = the head, null = nothing. */
  label?: ReactNode
}

/** Returns what a column is known by. */
export function keyOfColumn<Row>({ id, head }: DataColumn<Row>): string {
  return id ?? String(head)
}

/** Returns a column's name with its unit. */
export function nameOfColumn<Row>(column: DataColumn<Row>): string {
  const { name = typeof column.head === 'string' ? column.head : keyOfColumn(column) } = column
  return [name, column.unit].filter(Boolean).join(', ')
}
