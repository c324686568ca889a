import type { ReactNode } from 'react'
import { DataTable } from './table.tsx'

/** Layout of a text table: rows on a wide screen, cards on a narrow one. */
export const LINES = {
  cards: 'md',
  cellClass: 'md:h-9 md:px-2.5 md:py-1.5 md:align-top md:first:pl-0',
  headClass: 'h-9 border-line-strong border-b bg-bg px-2.5 text-muted text-xs first:pl-0',
  rowProps: () => ({ className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3' }),
} as const

type PlainRow<N extends string> = { key: string; cells: Record<N, ReactNode> }

type PlainTableProps<N extends string> = {
  caption: string
  head: readonly N[]
  rows: readonly PlainRow<N>[]
  /** Columns that take a card's whole width on a phone. */
  wide?: readonly N[]
}

/** A table of texts: lines on a wide screen, cards on a narrow one. */
export function PlainTable<N extends string>({ caption, head, rows, wide }: PlainTableProps<N>) {
  return (
    <DataTable
      {...LINES}
      caption={caption}
      columns={head.map((name) => ({
        head: name,
        cell: ({ cells }: PlainRow<N>) => <div className="untrusted">{cells[name]}</div>,
        cellClass: wide?.includes(name) ? 'col-span-2' : undefined,
      }))}
      keyOf={({ key }) => key}
      rows={rows}
    />
  )
}
