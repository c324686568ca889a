import type { ReactNode } from 'react'
import type { TableCell } from '#lib/domain/text/index.ts'
import { type DataColumn, keyOfColumn, nameOfColumn } from '../ui/data-column.ts'
import { DataTable, type DataTableProps } from '../ui/table.tsx'
import { LiveTable, type LiveTableProps, type SentColumn, type SentRow } from './live-table.tsx'

type TableProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowProps'> &
  Omit<LiveTableProps, 'columns' | 'rows'> & {
    keyOf: (row: Row, index: number) => string | number
    /** Details of an expanded row; null = none. */
    detailOf?: (row: Row) => ReactNode
  }

/** With fewer rows there is nothing to sort or to find. */
const MIN_LIVE_ROWS = 4

/**
 * A table that users can sort, search, filter, arrange and export. Cells are rendered on the server, so that neither
 * schemas nor formatters are sent to the browser; a short table needs no script at all.
 */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  if (props.rows.length >= MIN_LIVE_ROWS || props.detailOf) return <Live {...props} />
  const { name: _, what: __, prefix: ___, columns, ...rest } = props
  return <DataTable {...rest} columns={columns.filter(({ extra }) => !extra)} />
}

function Live<Row>({ columns, rows, keyOf, rowProps, detailOf, ...rest }: TableProps<Row>) {
  const has = (key: 'csv' | 'facet' | 'cellTitle') => columns.some((column) => column[key])
  const [hasFields, hasFacets, hasTitles] = [has('csv'), has('facet'), has('cellTitle')]
  const hasClasses = columns.some(({ cellClass }) => typeof cellClass === 'function')
  const sent = rows.map((row, index): SentRow => {
    const props = rowProps?.(row)
    return {
      key: String(keyOf(row, index)),
      // Indexed, because React needs a key for each element of a list.
      cells: Object.fromEntries(columns.map(({ cell }, place) => [place, cell(row, false)])),
      sort: columns.map(({ sort }): TableCell => sort?.(row) ?? null),
      ...(hasFields && { fields: columns.map(({ csv }) => csv?.(row) ?? null) }),
      ...(hasFacets && { facets: columns.map(({ facet }) => facet?.(row) ?? null) }),
      ...(hasTitles && { titles: columns.map(({ cellTitle }) => cellTitle?.(row)) }),
      ...(hasClasses && { classes: columns.map(({ cellClass }) => classOf(cellClass, row)) }),
      ...(props && { props }),
      ...(detailOf && { detail: detailOf(row) }),
    }
  })
  return <LiveTable {...rest} columns={columns.map(toSentColumn)} rows={sent} />
}

function classOf<Row>(cellClass: DataColumn<Row>['cellClass'], row: Row): string | undefined {
  return typeof cellClass === 'function' ? cellClass(row) : undefined
}

function toSentColumn<Row>(column: DataColumn<Row>): SentColumn {
  const { cell: _, cellTitle: __, cellClass, sort, csv, facet, ...rest } = column
  return {
    ...rest,
    id: keyOfColumn(column),
    name: column.name ?? (column.unit ? nameOfColumn({ ...column, unit: undefined }) : undefined),
    ...(typeof cellClass === 'string' && { cellClass }),
    ...(sort && { sorts: true as const }),
    ...(csv !== undefined && { exports: csv !== null }),
    ...(facet && { filters: true as const }),
  } as SentColumn
}
