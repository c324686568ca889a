import type { ReactNode } from 'react'
import type { TableCell } from '#lib/domain/text/index.ts'

/** The key of a column; absent = its header. */
type ColumnHead = { head: string; id?: string } | { head: ReactNode; id: string }

/** A column as data: its header, its cell for a row, its order, its filter and its field in files. */
export type DataColumn<Row> = ColumnHead & {
  /** `isOpen` = details of the row are shown below it. */
  cell: (row: Row, isOpen: boolean) => ReactNode
  /** Its name in menus and files; absent = its header. */
  name?: string
  /** Shown after the name. */
  unit?: string | undefined
  /** Sort value; absent = not sortable. Null = unknown, last in either direction. */
  sort?: (row: Row) => TableCell
  /** True = the first click sorts in descending order. */
  descends?: true
  /** Its field in a file; absent = the sort value, null = none. */
  csv?: ((row: Row) => TableCell) | null
  /** Filter value; null = the row has none. */
  facet?: (row: Row) => string | null
  /** True = hidden by default. */
  extra?: true
  /** Shown next to the name in the header. */
  headAside?: ReactNode
  /** True = stays visible while the table scrolls horizontally. */
  isPinned?: true
  /** True = always visible, because it identifies the row. */
  isFixed?: true
  /** Tooltips of the header and of a cell. */
  title?: string | undefined
  cellTitle?: (row: Row) => string | undefined
  /** If set, its cells are row headers with this weight. */
  rowHeader?: 'font-normal' | 'font-medium'
  /** True = right-aligned. */
  numeric?: boolean
  /** Classes of header and cells, of the header only, and of the cells only. */
  className?: string | undefined
  headClass?: string | undefined
  cellClass?: string | ((row: Row) => string | undefined) | undefined
  /** Label on a card; absent = the header, null = none. */
  label?: ReactNode
}

/** Returns the key of a column. */
export function keyOfColumn<Row>({ id, head }: DataColumn<Row>): string {
  return id ?? String(head)
}

/** Returns a column's name with its unit. */
export function nameOfColumn<Row>(column: DataColumn<Row>): string {
  const { name = typeof column.head === 'string' ? column.head : keyOfColumn(column) } = column
  return [name, column.unit].filter(Boolean).join(', ')
}
