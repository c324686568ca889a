'use client'

import { useQueryStates } from 'nuqs'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { type TableCell, toCsv, toMarkdown } from '#lib/domain/text/index.ts'
import { classNames } from '../ui/class-names.ts'
import { ArrowKeys } from '../ui/controls.tsx'
import { type DataColumn, nameOfColumn } from '../ui/data-column.ts'
import { downloadText } from '../ui/download.ts'
import { visibleText } from '../ui/format.ts'
import { DataTable, type DataTableProps } from '../ui/table.tsx'
import { useSortHead } from './sort-head.tsx'
import { MoreRows, NoRows, RowCount, TableTools } from './table-tools.tsx'
import { historyOf, type TableView, tableParsers, urlKeys } from './table-view.ts'
import { fieldOf, type LiveTable as Live, useLiveTable } from './use-live-table.ts'
import { useVisibleRows } from './visible-rows.tsx'

/** A column without functions that run only on the server. */
export type SentColumn = Omit<
  DataColumn<SentRow>,
  'cell' | 'cellTitle' | 'cellClass' | 'sort' | 'csv' | 'facet'
> & {
  cellClass?: string | undefined
  sorts?: true
  /** Has a field of its own in a file; false = none, absent = the value that sorts. */
  exports?: boolean
  filters?: true
}

/** A row rendered by the server, with its values for sorting and filtering. */
export type SentRow = {
  key: string
  cells: Readonly<Record<number, ReactNode>>
  sort: readonly TableCell[]
  fields?: readonly TableCell[]
  facets?: readonly (string | null)[]
  titles?: readonly (string | undefined)[]
  classes?: readonly (string | undefined)[]
  props?: ReturnType<NonNullable<DataTableProps<unknown>['rowProps']>>
  /** Shown below it once it is opened; absent = there is no more. */
  detail?: ReactNode
}

export type LiveTableProps = Pick<
  DataTableProps<SentRow>,
  'caption' | 'cards' | 'stickyHead' | 'className' | 'headClass' | 'cellClass' | 'scroll'
> & {
  /** Key of the browser's settings for this table, and name of its files. */
  name: string
  columns: readonly SentColumn[]
  rows: readonly SentRow[]
  /** Noun for a row, such as `task`. */
  what: string
  /** Prefix of its URL parameters, on a page with several tables. */
  prefix?: string | undefined
}

/** Number of rows from which a table has a search field. */
const MIN_ROWS_TO_SEARCH = 8
/** Longer tables initially show this many rows. */
const FIRST_ROWS = 100

/** A table that sorts, filters and exports in the browser; its cells are drawn by the server. */
export function LiveTable(props: LiveTableProps) {
  const { name, rows, what, prefix, columns: sent, ...look } = props
  const columns = useMemo(() => sent.map(toDataColumn), [sent])
  const [view, setView] = useQueryStates(tableParsers, {
    history: 'push',
    scroll: false,
    urlKeys: urlKeys(prefix),
  })
  const [isWhole, setWhole] = useState(false)
  const table = useLiveTable({ name, columns, rows, keyOf: keyOfRow, view })
  const change = (next: Partial<TableView>) => void setView(next, historyOf(next))
  const limit = isWhole ? table.rows.length : FIRST_ROWS
  const hasTools = rows.length >= MIN_ROWS_TO_SEARCH || view.q !== '' || view.f.length > 0
  return (
    <>
      {hasTools ? (
        <TableTools
          onChange={change}
          onExport={(format) => exportTable(name, table, format)}
          search={`Search: ${what}`}
          table={table}
          view={view}
        />
      ) : null}
      <RowCount shown={table.rows.length} total={rows.length} what={what} />
      {table.rows.length === 0 && rows.length > 0 ? (
        <NoRows onClear={() => change({ q: '', f: [] })} />
      ) : (
        <LiveRows
          {...look}
          hasSelection={hasTools}
          limit={limit}
          onSort={(sort) => change({ sort })}
          prefix={prefix}
          table={table}
          view={view}
        />
      )}
      {table.rows.length > limit ? (
        <MoreRows max={limit} onAll={() => setWhole(true)} total={table.rows.length} />
      ) : null}
    </>
  )
}

type LiveRowsProps = Pick<
  LiveTableProps,
  'caption' | 'cards' | 'stickyHead' | 'className' | 'headClass' | 'cellClass' | 'scroll' | 'prefix'
> & {
  table: Live<SentRow>
  view: TableView
  limit: number
  hasSelection: boolean
  onSort: (sort: TableView['sort']) => void
}

function LiveRows({ table, view, limit, hasSelection, onSort, prefix, ...look }: LiveRowsProps) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = table.rows.slice(0, limit)
  // A box with its own scroll bar renders all of its rows.
  const { start, end, spaces, observer } = useVisibleRows(look.scroll ? 0 : rows.length, frame)
  const sortHead = useSortHead({ table, view, onSort, prefix })
  return (
    <ArrowKeys>
      <div
        className={classNames(
          table.widths && 'lg:overflow-x-auto',
          spaces && '[overflow-anchor:none]',
        )}
        ref={frame}
      >
        {observer}
        <DataTable
          {...look}
          columns={[
            ...(hasSelection ? [selectColumn(table)] : []),
            ...table.columns,
            ...(rows.some(({ detail }) => detail) ? [openColumn(table)] : []),
          ]}
          detailOf={(row) => (table.isOpen(row) ? row.detail : null)}
          keyOf={keyOfRow}
          rowProps={(row) => row.props ?? {}}
          rows={look.scroll ? rows : rows.slice(start, end)}
          sortHead={sortHead}
          spaces={spaces}
          widths={table.widths}
        />
      </div>
    </ArrowKeys>
  )
}

const FLAT = 'scripted on-screen w-8 max-lg:hidden'

/** Checkboxes that choose what is exported. */
function selectColumn(table: Live<SentRow>): DataColumn<SentRow> {
  const box = { className: 'block size-4 accent-[var(--accent)]', type: 'checkbox' } as const
  return {
    id: 'select',
    head: (
      <input
        {...box}
        aria-label="Select all"
        checked={table.isAllSelected}
        onChange={() => table.selectAll(!table.isAllSelected)}
      />
    ),
    label: null,
    cell: (row) => (
      <input
        {...box}
        aria-label={`Select ${nameOfRow(table, row)}`}
        checked={table.selected.includes(row)}
        onChange={(event) => table.select(row, event)}
      />
    ),
    className: FLAT,
  }
}

/** Buttons that open what a row has besides. */
function openColumn(table: Live<SentRow>): DataColumn<SentRow> {
  return {
    id: 'open',
    head: <span className="sr-only">Details</span>,
    label: null,
    cell: (row) =>
      row.detail ? (
        <button
          aria-expanded={table.isOpen(row)}
          aria-label={`Details of ${nameOfRow(table, row)}`}
          className="size-6 rounded border border-line hover:border-line-strong"
          onClick={() => table.toggle(row)}
          type="button"
        >
          {table.isOpen(row) ? '−' : '+'}
        </button>
      ) : null,
    className: 'scripted on-screen relative w-8',
  }
}

function nameOfRow({ choices: [first] }: Live<SentRow>, row: SentRow): string {
  return first ? visibleText(String(fieldOf(first, row) ?? row.key)) : row.key
}

/** Downloads the selected rows, or all visible ones, with the visible columns. */
function exportTable<Row>(
  name: string,
  { rows, selected, columns }: Live<Row>,
  format: 'csv' | 'markdown',
): void {
  const fields = columns.filter(({ csv, sort }) => csv !== null && (csv ?? sort) !== undefined)
  const cells = [
    fields.map(nameOfColumn),
    ...(selected.length > 0 ? selected : rows).map((row) =>
      fields.map((column) => fieldOf(column, row)),
    ),
  ]
  if (format === 'csv') downloadText(`${name}.csv`, 'text/csv', toCsv(cells))
  else downloadText(`${name}.md`, 'text/markdown', toMarkdown(cells))
}

function keyOfRow({ key }: SentRow): string {
  return key
}

function toDataColumn(column: SentColumn, place: number): DataColumn<SentRow> {
  const { sorts, exports, filters, cellClass, ...rest } = column
  return {
    ...rest,
    ...(place === 0 && { isPinned: true }),
    cell: ({ cells }) => cells[place],
    cellTitle: ({ titles }) => titles?.[place],
    cellClass: ({ classes }) => classes?.[place] ?? cellClass,
    ...(sorts && { sort: ({ sort }: SentRow) => sort[place] ?? null }),
    ...(exports && { csv: ({ fields }: SentRow) => fields?.[place] ?? null }),
    ...(exports === false && { csv: null }),
    ...(filters && { facet: ({ facets }: SentRow) => facets?.[place] ?? null }),
  } as DataColumn<SentRow>
}
