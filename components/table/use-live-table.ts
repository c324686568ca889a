import {
  type ColumnDef,
  columnFacetingFeature,
  columnFilteringFeature,
  columnOrderingFeature,
  columnVisibilityFeature,
  createFacetedRowModel,
  createFacetedUniqueValues,
  createFilteredRowModel,
  createSortedRowModel,
  type ExpandedState,
  globalFilteringFeature,
  type RowSelectionState,
  rowExpandingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { TableCell } from '#lib/domain/text/index.ts'
import { type DataColumn, keyOfColumn } from '../ui/data-column.ts'
import { type Remembered, useRemembered } from './remembered.ts'
import { facetsOf, type TableSort, type TableView } from './table-view.ts'
import { useSameList } from './use-same-list.ts'

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  columnFacetingFeature,
  rowSortingFeature,
  rowSelectionFeature,
  rowExpandingFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
  filteredRowModel: createFilteredRowModel(),
  facetedRowModel: createFacetedRowModel(),
  facetedUniqueValues: createFacetedUniqueValues(),
  sortedRowModel: createSortedRowModel(),
})

type Features = typeof features

/** Filterable values of a column, with their numbers of rows. */
export type Facet<Row> = { column: DataColumn<Row>; words: { word: string; count: number }[] }

export type LiveTable<Row> = {
  /** Filtered and sorted rows. */
  rows: readonly Row[]
  /** Visible columns, in order. */
  columns: readonly DataColumn<Row>[]
  /** All columns, in order. */
  choices: readonly DataColumn<Row>[]
  facets: readonly Facet<Row>[]
  widths: Remembered['widths']
  hidden: readonly string[]
  /** The selected ones of `rows`. */
  selected: readonly Row[]
  isAllSelected: boolean
  selectAll: (isOn: boolean) => void
  /** Selects a row or takes it back; with Shift, all rows since the last one. */
  select: (row: Row, event: unknown) => void
  isOpen: (row: Row) => boolean
  toggle: (row: Row) => void
  remember: (next: Partial<Remembered>) => void
  /**
   * The order after a click on a header; `isAdded` = appended to the existing keys. Null = the column is not sortable.
   */
  nextSort: (column: DataColumn<Row>, isAdded: boolean) => TableSort[] | null
}

type LiveTableOptions<Row> = {
  /** Key of the browser's settings for this table. */
  name: string
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  view: TableView
  /** Text for the search; absent = all fields. */
  textOf?: (row: Row) => string
}

/** Applies the view of a table to its rows and columns. */
export function useLiveTable<Row extends object>(options: LiveTableOptions<Row>): LiveTable<Row> {
  const { name, columns, rows, keyOf, view, textOf = textOfFields(columns) } = options
  const [{ hide, order = [], widths }, remember] = useRemembered(name)
  const fixed = columns.filter(({ isFixed }, place) => isFixed || place === 0).map(keyOfColumn)
  const hidden = (view.hide ?? hide ?? listExtras(columns)).filter((id) => !fixed.includes(id))
  const defs = useMemo(() => columns.map(toColumnDef), [columns])
  const data = useMemo(() => [...rows], [rows])
  const [rowSelection, onRowSelectionChange] = useState<RowSelectionState>({})
  const [expanded, onExpandedChange] = useState<ExpandedState>({})
  const table = useTable<Features, Row>({
    features,
    columns: defs,
    data,
    getRowId: (row) => keyOf(row),
    state: {
      sorting: view.sort,
      columnFilters: facetsOf(view.f),
      globalFilter: view.q.trim().toLowerCase(),
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnOrder: order,
      rowSelection,
      expanded,
    },
    onRowSelectionChange,
    onExpandedChange,
    // Details do not count as rows, and stay open when rows are added.
    getRowCanExpand: () => true,
    autoResetExpanded: false,
    globalFilterFn: (row, _, text: string) => {
      const own = textOf(row.original).toLowerCase()
      return text.split(/\s+/).every((word) => own.includes(word))
    },
    // The searchable text is per row, so one column is enough.
    getColumnCanGlobalFilter: ({ id }) => id === defs[0]?.id,
  })
  const shown = table.getRowModel().rows
  const byId = new Map(columns.map((column) => [keyOfColumn(column), column]))
  const columnsOf = (all: readonly { id: string }[]) => all.flatMap(({ id }) => byId.get(id) ?? [])
  return {
    rows: useSameList(shown.map(({ original }) => original)),
    selected: shown.flatMap((row) => (row.getIsSelected() ? row.original : [])),
    isAllSelected: table.getIsAllRowsSelected(),
    selectAll: (isOn) => table.toggleAllRowsSelected(isOn),
    select: (row, event) => table.getRow(keyOf(row)).getToggleSelectedHandler()(event),
    isOpen: (row) => table.getRow(keyOf(row)).getIsExpanded(),
    toggle: (row) => table.getRow(keyOf(row)).toggleExpanded(),
    columns: useSameList(columnsOf(table.getVisibleLeafColumns())),
    choices: columnsOf(table.getAllLeafColumns()),
    facets: columns.flatMap((column) => {
      if (!column.facet) return []
      const found = table.getColumn(keyOfColumn(column))?.getFacetedUniqueValues()
      const words = [...(found ?? [])].map(([word, count]) => ({ word: String(word), count }))
      return words.length > 1 || view.f.length > 0 ? [{ column, words }] : []
    }),
    widths,
    hidden,
    remember,
    nextSort: (column, isAdded) => {
      const found = column.sort && table.getColumn(keyOfColumn(column))
      if (!found?.getCanSort()) return null
      return nextSorting(view.sort, found.id, found.getNextSortingOrder(isAdded), isAdded)
    },
  }
}

function nextSorting(
  sort: readonly TableSort[],
  id: string,
  order: 'asc' | 'desc' | false,
  isAdded: boolean,
): TableSort[] {
  const key = order === false ? [] : [{ id, desc: order === 'desc' }]
  if (!isAdded) return key
  if (!sort.some((one) => one.id === id)) return [...sort, ...key]
  return sort.flatMap((one) => (one.id === id ? key : one))
}

/** Returns the columns that are hidden by default. */
function listExtras<Row>(columns: readonly DataColumn<Row>[]): string[] {
  return columns.filter(({ extra }) => extra).map(keyOfColumn)
}

function toColumnDef<Row extends object>(column: DataColumn<Row>): ColumnDef<Features, Row> {
  const { sort, facet, descends } = column
  return {
    id: keyOfColumn(column),
    // Unknown values come last in either direction.
    accessorFn: (row) => comparable(sort?.(row) ?? null),
    enableSorting: sort !== undefined,
    sortFn: sortFn_basic,
    sortDescFirst: descends ?? false,
    sortUndefined: 'last',
    filterFn: (row, _, words: readonly string[]) => words.includes(facet?.(row.original) ?? ''),
    getUniqueValues: (row) => [facet?.(row) ?? ''].filter((word) => word !== ''),
  }
}

function comparable(value: TableCell): string | number | undefined {
  return typeof value === 'string' ? value.toLowerCase() : (value ?? undefined)
}

function textOfFields<Row>(columns: readonly DataColumn<Row>[]): (row: Row) => string {
  return (row) => columns.map((column) => fieldOf(column, row) ?? '').join(' ')
}

/** Returns a row's field for a column of an exported file. */
export function fieldOf<Row>({ sort, csv }: DataColumn<Row>, row: Row): TableCell {
  if (csv === null) return null
  return (csv ?? sort)?.(row) ?? null
}
