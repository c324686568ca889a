import type { ReactNode } from 'react'
import { countOf } from '#lib/domain/text/index.ts'
import { Button } from '../ui/button.tsx'
import { keyOfColumn, nameOfColumn } from '../ui/data-column.ts'
import { visibleText } from '../ui/format.ts'
import { handFocusTo } from '../ui/hand-focus.ts'
import { Columns3, Download, Filter, Search } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import { type TableView, toggleFacet } from './table-view.ts'
import type { Facet, LiveTable } from './use-live-table.ts'

type TableToolsProps<Row> = {
  table: LiveTable<Row>
  view: TableView
  /** Label of the search, such as `Search tasks`. */
  search: string
  onChange: (next: Partial<TableView>) => void
  onExport: (format: 'csv' | 'markdown') => void
  children?: ReactNode
}

/** Search, filters, columns and export of a table. */
export function TableTools<Row>(props: TableToolsProps<Row>) {
  const { table, view, search, onChange, onExport, children } = props
  return (
    <search className="scripted relative mb-2 flex flex-wrap items-center gap-2">
      <SearchField label={search} onSearch={(q) => onChange({ q })} text={view.q} />
      {children}
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <FilterMenu facets={table.facets} filters={view.f} onChange={(f) => onChange({ f })} />
        <ColumnMenu onHide={(hide) => onChange({ hide })} table={table} />
        <ExportMenu onExport={onExport} selected={table.selected.length} />
      </div>
    </search>
  )
}

type SearchFieldProps = { label: string; text: string; onSearch: (text: string) => void }

export function SearchField({ label, text, onSearch }: SearchFieldProps) {
  return (
    <label className="relative block w-full sm:w-44">
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="absolute top-2 left-2 text-muted" size={16} />
      <input
        className="h-8 w-full rounded border border-line-strong bg-surface pr-2 pl-8"
        data-search
        name="q"
        onChange={(event) => onSearch(event.target.value)}
        placeholder="Search  ( / )"
        type="search"
        value={text}
      />
    </label>
  )
}

type FilterMenuProps<Row> = {
  facets: readonly Facet<Row>[]
  filters: readonly string[]
  onChange: (filters: string[]) => void
}

/** Filters by the values of each column, with their numbers of rows. */
export function FilterMenu<Row>({ facets, filters, onChange }: FilterMenuProps<Row>) {
  if (facets.length === 0) return null
  return (
    <Menu
      icon={<Filter aria-hidden size={14} />}
      label={filters.length > 0 ? `Filters (${filters.length})` : 'Filters'}
    >
      <div className="grid max-h-96 gap-3 overflow-y-auto">
        {facets.map(({ column, words }) => (
          <FacetChoice
            filters={filters}
            id={keyOfColumn(column)}
            key={keyOfColumn(column)}
            name={nameOfColumn(column)}
            onChange={onChange}
            words={words}
          />
        ))}
      </div>
      {filters.length > 0 ? (
        <Button
          onClick={({ currentTarget }) => {
            currentTarget.closest('[data-menu]')?.querySelector('button')?.focus()
            onChange([])
          }}
        >
          Clear filters
        </Button>
      ) : null}
    </Menu>
  )
}

type FacetChoiceProps = Omit<FilterMenuProps<never>, 'facets'> & {
  id: string
  name: string
  words: readonly { word: string; count: number }[]
}

function FacetChoice({ id, name, words, filters, onChange }: FacetChoiceProps) {
  const sorted = [...words].sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
  // Includes filters from the URL that match no row.
  const chosen = filters
    .filter((filter) => filter.startsWith(`${id}:`))
    .map((filter) => filter.slice(id.length + 1))
    .filter((word) => words.every((one) => one.word !== word))
    .map((word) => ({ word, count: 0 }))
  return (
    <fieldset className="grid max-w-64 gap-1">
      <legend className="mb-1 text-muted text-xs">{name}</legend>
      {[...chosen, ...sorted].map(({ word, count }) => (
        <label className="flex items-center gap-2" key={word}>
          <input
            checked={filters.includes(`${id}:${word}`)}
            className="accent-[var(--accent)]"
            onChange={() => onChange(toggleFacet(filters, id, word))}
            type="checkbox"
          />
          <span className="untrusted min-w-0 flex-1">{visibleText(word)}</span>
          <span className="text-muted text-xs">{count}</span>
        </label>
      ))}
    </fieldset>
  )
}

type ColumnMenuProps<Row> = { table: LiveTable<Row>; onHide: (hidden: string[] | null) => void }

/** Selects and orders columns. The first one identifies the row and is fixed. */
export function ColumnMenu<Row>({ table, onHide }: ColumnMenuProps<Row>) {
  const { choices, hidden, remember } = table
  const ids = choices.map(keyOfColumn)
  const hide = (id: string) => {
    const next = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]
    remember({ hide: next })
    onHide(next)
  }
  const move = (id: string, by: number) => {
    const rest = ids.filter((one) => one !== id)
    rest.splice(Math.max(1, ids.indexOf(id) + by), 0, id)
    remember({ order: rest })
  }
  return (
    <Menu icon={<Columns3 aria-hidden size={14} />} label="Columns">
      <fieldset className="grid max-h-96 gap-1 overflow-y-auto">
        <legend className="mb-1.5 text-muted text-xs">Columns</legend>
        {choices.map((column, place) => {
          const id = keyOfColumn(column)
          if (place === 0 || column.isFixed) return null
          return (
            <span className="flex items-center gap-1" key={id}>
              <label className="flex min-w-32 flex-1 items-center gap-2">
                <input
                  checked={!hidden.includes(id)}
                  className="accent-[var(--accent)]"
                  onChange={() => hide(id)}
                  type="checkbox"
                />
                {nameOfColumn(column)}
              </label>
              <MoveButton
                isLast={place <= 1}
                label={`Move ${nameOfColumn(column)} left`}
                onMove={() => move(id, -1)}
                sign="←"
              />
              <MoveButton
                isLast={place === choices.length - 1}
                label={`Move ${nameOfColumn(column)} right`}
                onMove={() => move(id, 1)}
                sign="→"
              />
            </span>
          )
        })}
      </fieldset>
      <Button
        onClick={() => {
          remember({ hide: undefined, order: undefined, widths: undefined })
          onHide(null)
        }}
      >
        Reset columns
      </Button>
    </Menu>
  )
}

type MoveButtonProps = { isLast: boolean; label: string; sign: string; onMove: () => void }

/** At the end it is disabled only for screen readers, so that it keeps the focus. */
function MoveButton({ isLast, label, sign, onMove }: MoveButtonProps) {
  return (
    <button
      aria-disabled={isLast}
      aria-label={label}
      className="size-6 rounded border border-line hover:border-line-strong aria-disabled:opacity-40"
      onClick={() => (isLast ? undefined : onMove())}
      type="button"
    >
      {sign}
    </button>
  )
}

type ExportMenuProps = {
  onExport: (format: 'csv' | 'markdown') => void
  /** Number of selected rows; 0 = all are exported. */
  selected?: number
}

export function ExportMenu({ onExport, selected = 0 }: ExportMenuProps) {
  return (
    <Menu
      icon={<Download aria-hidden size={14} />}
      label={selected > 0 ? `Export (${selected})` : 'Export'}
    >
      <p className="max-w-52 text-muted text-xs">
        {selected > 0
          ? `The ${countOf(selected, 'selected row')}`
          : 'All rows of this page that match the filters'}
        , in the order and with the columns of the table.
      </p>
      <Button onClick={() => onExport('csv')}>CSV</Button>
      <Button onClick={() => onExport('markdown')}>Markdown</Button>
    </Menu>
  )
}

// Buttons that disappear when clicked move the focus on.

/** Message of a search without results. */
export function NoRows({ onClear }: { onClear: () => void }) {
  return (
    <p className="mt-4 flex flex-wrap items-center gap-3 text-base">
      Nothing matches the search and filters.
      <Button
        onClick={() => {
          handFocusTo('input[data-search]')
          onClear()
        }}
      >
        Clear filters
      </Button>
    </p>
  )
}

/** The first rows of a long table; the rest on request. */
export function MoreRows({ max, total, onAll }: { max: number; total: number; onAll: () => void }) {
  return (
    <p className="mt-3 flex items-center gap-3">
      Rows 1–{max} of {total}.
      <Button
        className="scripted on-screen"
        onClick={() => {
          handFocusTo('tr[data-row] a')
          onAll()
        }}
      >
        Show all
      </Button>
    </p>
  )
}

/** Announces the number of rows to screen readers, because search and filters act at once. */
export function RowCount({ shown, total, what }: { shown: number; total: number; what: string }) {
  return (
    <p className="sr-only" role="status">
      {shown < total ? `${countOf(shown, what)} in view` : ''}
    </p>
  )
}
