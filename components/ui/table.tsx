import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type PlainTableProps<N extends string> = {
  caption: string
  head: readonly N[]
  rows: readonly { key: string; cells: Record<N, ReactNode> }[]
  /** Columns that take a card's whole width on a phone. */
  wide?: readonly N[]
}

/** Lines on a wide screen, cards on a narrow one. */
export function PlainTable<N extends string>({ caption, head, rows, wide }: PlainTableProps<N>) {
  return (
    <table className="block w-full border-line border-b md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {head.map((name) => (
            <th
              className="h-9 border-line-strong border-b bg-bg px-2.5 text-left font-normal text-muted text-xs first:pl-0"
              key={name}
              scope="col"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {rows.map(({ key, cells }) => (
          <tr
            className="grid grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3 md:table-row"
            key={key}
          >
            {head.map((name) => (
              <td
                className={classNames(
                  'block min-w-0 md:table-cell md:h-9 md:px-2.5 md:py-1.5 md:align-top md:first:pl-0',
                  wide?.includes(name) && 'col-span-2',
                )}
                key={name}
              >
                <span aria-hidden="true" className="block text-muted text-xs md:hidden">
                  {name}
                </span>
                <div className="untrusted">{cells[name]}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ScrollBoxProps = ComponentProps<'section'> & { 'aria-label': string }

/** A box that scrolls by itself, and that the keyboard can reach for it. */
export function ScrollBox(props: ScrollBoxProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the box.
  return <section tabIndex={0} {...props} />
}
