import { classNames } from '#components/ui/class-names.ts'
import { COLUMN_WORDS } from './board-columns.ts'
import type { ColumnId, Sort } from './board-view.ts'

type ColumnHeaderProps = { id: ColumnId; sort: Sort; onSort: (sort: Sort) => void }

/** A column's name and unit; pressing it sorts, pressing it again turns the order round. */
export function ColumnHeader({ id, sort, onSort }: ColumnHeaderProps) {
  const { label, unit, title, numeric, width } = COLUMN_WORDS[id]
  const active = sort.column === id
  const descendsFirst = id === 'success'
  const next = { column: id, descending: active ? !sort.descending : descendsFirst }
  return (
    <th
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'border-line-strong border-b bg-bg p-0 font-normal',
        numeric ? 'text-right' : 'text-left',
        width,
      )}
      scope="col"
    >
      <button
        className={classNames(
          'inline-flex h-9 items-center gap-1 whitespace-nowrap px-2.5 text-xs hover:text-ink',
          active ? 'font-medium text-ink' : 'text-muted',
        )}
        onClick={() => onSort(next)}
        title={title}
        type="button"
      >
        {label}
        {unit ? `, ${unit}` : null}
        <svg
          aria-hidden="true"
          className={classNames(
            'size-2.5',
            !active && 'invisible',
            active && sort.descending && 'rotate-180',
          )}
          viewBox="0 0 10 10"
        >
          <path d="M5 2 9 8H1Z" fill="currentColor" />
        </svg>
      </button>
    </th>
  )
}
