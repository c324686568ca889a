import type { ReactNode } from 'react'
import type { TableCell } from '#lib/domain/record/index.ts'
import { type DataColumn, keyOfColumn, nameOfColumn } from '../ui/data-column.ts'
import type { DataTableProps } from '../ui/table.tsx'
import { LiveTable, type LiveTableProps, type SentColumn, type SentRow } from './live-table.tsx'

/** Layouts of a table of texts: lines on a wide screen, cards on a narrow one. */
export const LINES = {
  cards: 'md',
  cellClass: 'md:h-9 md:px-2.5 md:py-1.5 md:align-top md:first:pl-0',
  headClass: 'h-9 border-line-strong border-b bg-bg px-2.5 text-muted text-xs first:pl-0',
  rowProps: () => ({ className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3' }),
} as const

type TableProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowProps'> &
  Omit<LiveTableProps, 'columns' | 'rows'> & { keyOf: (row: Row, index: number) => string | number }

/**
 * A table that users can sort, search, filter, arrange and export. Cells are rendered on the server, so that neither
 * schemas nor formatters are sent to the browser.
 */
export function Table<Row>({
  columns,
  rows,
  keyOf,
  rowProps,
  ...rest
}: TableProps<Row>): ReactNode {
  const withFacet = columns.filter(({ facet }) => facet)
  const withField = columns.filter(({ csv }) => csv)
  const withTitle = columns.some(({ cellTitle }) => cellTitle)
  const withClass = columns.some(({ cellClass }) => typeof cellClass === 'function')
  const sent = rows.map((row, index): SentRow => {
    const props = rowProps?.(row, index)
    return {
      key: String(keyOf(row, index)),
      // Indexed, because React needs a key for each element of a list.
      cells: Object.fromEntries(columns.map(({ cell }, place) => [place, cell(row, index)])),
      sort: columns.map(({ sort }): TableCell => sort?.(row) ?? null),
      ...(withField.length > 0 && { fields: withField.map(({ csv }) => csv?.(row) ?? null) }),
      ...(withFacet.length > 0 && { facets: withFacet.map(({ facet }) => facet?.(row) ?? null) }),
      ...(withTitle && { titles: columns.map(({ cellTitle }) => cellTitle?.(row)) }),
      ...(withClass && { classes: columns.map(({ cellClass }) => classOf(cellClass, row)) }),
      ...(props && { props }),
    }
  })
  const sentColumns = columns.map((column) =>
    toSentColumn(column, {
      field: withField.indexOf(column),
      facet: withFacet.indexOf(column),
    }),
  )
  return <LiveTable {...rest} columns={sentColumns} rows={sent} />
}

function classOf<Row>(cellClass: DataColumn<Row>['cellClass'], row: Row): string | undefined {
  return typeof cellClass === 'function' ? cellClass(row) : undefined
}

function toSentColumn<Row>(
  column: DataColumn<Row>,
  places: { field: number; facet: number },
): SentColumn {
  const { cell: _, cellTitle: __, cellClass, sort, csv, facet, ...rest } = column
  return {
    ...rest,
    id: keyOfColumn(column),
    name: column.name ?? (column.unit ? nameOfColumn({ ...column, unit: undefined }) : undefined),
    ...(typeof cellClass === 'string' && { cellClass }),
    ...(sort && { sorts: true as const }),
    ...(csv && { field: places.field }),
    ...(csv === null && { hasNoField: true as const }),
    ...(facet && { facet: places.facet }),
  } as SentColumn
}
