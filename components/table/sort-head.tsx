import type { MouseEvent, ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import type { SortHead } from '../ui/table.tsx'
import type { TableSort } from './table-view.ts'

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
export function sortHeadOf({ children, ...props }: SortLinkProps): SortHead {
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
