import { BOARD_COLUMNS, type ColumnId } from '#lib/domain/board/index.ts'
import { classNames } from '../ui/class-names.ts'
import type { Sort } from './board-view.ts'
import { BOARD_CELLS } from './row-cells.tsx'

type ColumnHeaderProps = {
  id: ColumnId
  sort: Sort
  onSort: (sort: Sort) => void
  /** Replaces the column's own. */
  label: string | undefined
}

/** A column's name and unit; pressing it sorts, pressing it again turns the order round. */
export function ColumnHeader({ id, sort, onSort, label }: ColumnHeaderProps) {
  const column = BOARD_COLUMNS[id]
  const { width, wide } = BOARD_CELLS[id]
  const active = sort.column === id
  const next = { column: id, descending: active ? !sort.descending : (column.descends ?? false) }
  const order = sort.descending ? 'descending' : 'ascending'
  return (
    <th
      aria-sort={active ? order : undefined}
      className={classNames(
        'border-line-strong border-b bg-surface p-0 font-normal',
        column.numeric ? 'text-right' : 'text-left',
        wide && 'lg:max-xl:hidden',
        width,
      )}
      scope="col"
    >
      <span className="flex items-center pr-2.5">
        <button
          className={classNames(
            'inline-flex h-9 items-center gap-1 whitespace-nowrap pl-2.5 text-xs hover:text-ink',
            column.numeric && 'ml-auto',
            id === 'success' && 'w-[7.125rem] shrink-0',
            active ? 'font-medium text-ink' : 'text-muted',
          )}
          onClick={() => onSort(next)}
          title={column.title}
          type="button"
        >
          {columnTitle(id, label)}
          <SortArrow active={active} descending={sort.descending} />
        </button>
        {id === 'success' ? <RateAxis /> : null}
      </span>
    </th>
  )
}

/** A column's name with its unit; `label` replaces the name. */
export function columnTitle(id: ColumnId, label: string = BOARD_COLUMNS[id].label): string {
  return [label, BOARD_COLUMNS[id].unit].filter(Boolean).join(', ')
}

function SortArrow({ active, descending }: { active: boolean; descending: boolean }) {
  if (!active) return null
  return (
    <svg
      aria-hidden="true"
      className={classNames('size-2.5', descending && 'rotate-180')}
      viewBox="0 0 10 10"
    >
      <path d="M5 2 9 8H1Z" fill="currentColor" />
    </svg>
  )
}

/** The scale that all bars of the column share. */
function RateAxis() {
  return (
    <span
      aria-hidden="true"
      className="hidden flex-1 justify-between pl-2.5 text-[0.6875rem] text-muted lg:flex"
    >
      <span>0</span>
      <span>50</span>
      <span>100</span>
    </span>
  )
}
