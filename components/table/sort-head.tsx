import { useSearchParams } from 'next/navigation'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { classNames } from '../ui/class-names.ts'
import { type DataColumn, keyOfColumn, nameOfColumn } from '../ui/data-column.ts'
import type { SortHead } from '../ui/table.tsx'
import { ResizeHandle } from './resize-handle.tsx'
import { sortSerializer, type TableSort, type TableView } from './table-view.ts'
import type { LiveTable } from './use-live-table.ts'

type SortHeadOptions<Row> = {
  table: LiveTable<Row>
  view: Pick<TableView, 'sort'>
  onSort: (sort: TableView['sort']) => void
  prefix: string | undefined
}

/** Returns a function that renders the header of a sortable column. */
export function useSortHead<Row>({ table, view, onSort, prefix }: SortHeadOptions<Row>) {
  const query = String(useSearchParams() ?? '')
  const serialize = useMemo(() => sortSerializer(prefix), [prefix])
  return (column: DataColumn<Row>) => {
    const next = table.nextSort(column, false)
    if (next === null) return null
    const head = sortHeadOf({
      children: column.unit ? nameOfColumn(column) : column.head,
      href: serialize(`?${query}`, { sort: next }) || '?',
      id: keyOfColumn(column),
      isNumeric: column.numeric ?? false,
      onSort: (isAdded) => onSort(table.nextSort(column, isAdded) ?? []),
      sort: view.sort,
      title: column.title,
    })
    return {
      ...head,
      content: (
        <>
          {column.headAside ? (
            // As wide as the numbers in its cells, so that a scale is above their bars.
            <span className="flex items-center lg:[&>a]:w-[6.5rem] lg:[&>a]:shrink-0">
              {head.content}
              {column.headAside}
            </span>
          ) : (
            head.content
          )}
          <ResizeHandle
            id={keyOfColumn(column)}
            isStop={column === table.columns.find(({ sort }) => sort)}
            name={nameOfColumn(column)}
            onResize={(widths) => table.remember({ widths })}
            width={table.widths?.[keyOfColumn(column)]}
          />
        </>
      ),
    }
  }
}

type SortLinkProps = {
  id: string
  sort: readonly TableSort[]
  /** URL of the table in the next order, which works without scripts. */
  href: string
  onSort: (isAdded: boolean) => void
  isNumeric: boolean
  title: string | undefined
  className?: string
  children: ReactNode
}

/** The header of a sortable column: a click reverses the order, Shift-click adds a sort key. */
function sortHeadOf({ children, ...props }: SortLinkProps): SortHead {
  const place = props.sort.findIndex(({ id }) => id === props.id)
  const key = props.sort[place]
  const order = key && (key.desc ? 'descending' : 'ascending')
  return {
    // Screen readers are given only the first sort key.
    order: place === 0 ? order : undefined,
    content: (
      <SortLink {...props} isActive={key !== undefined}>
        {children}
        {key ? <Arrow isDown={key.desc} /> : null}
        {key && props.sort.length > 1 ? (
          <span className="text-[0.6875rem]">
            <span className="sr-only">, key </span>
            {place + 1}
          </span>
        ) : null}
      </SortLink>
    ),
  }
}

function SortLink(props: SortLinkProps & { isActive: boolean }) {
  const { href, isNumeric, isActive, title, className, children } = props
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    props.onSort(event.shiftKey)
  }
  return (
    <a
      className={classNames(
        'relative inline-flex min-h-6 flex-wrap items-center gap-1 hover:text-ink',
        isNumeric && 'ml-auto',
        isActive ? 'font-medium text-ink' : 'text-muted',
        className,
      )}
      href={href}
      onClick={follow}
      rel="nofollow"
      title={[title, 'Sort; with Shift, sort by this column too'].filter(Boolean).join('. ')}
    >
      {children}
    </a>
  )
}

function Arrow({ isDown }: { isDown: boolean }) {
  return (
    <svg
      aria-hidden="true"
      className={classNames('size-2.5 shrink-0', isDown && 'rotate-180')}
      viewBox="0 0 10 10"
    >
      <path d="M5 2 9 8H1Z" fill="currentColor" />
    </svg>
  )
}
