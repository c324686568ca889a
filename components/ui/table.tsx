import type { ComponentProps, Key, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What a column is known by; absent = its head. */
type ColumnHead = { head: string; id?: string } | { head: ReactNode; id: string }

/** A column as data: its header, and its cell for a row. */
export type DataColumn<Row> = ColumnHead & {
  cell: (row: Row, index: number) => ReactNode
  /** Tooltips of the head and of a cell. */
  title?: string | undefined
  cellTitle?: (row: Row) => string | undefined
  /** Set, its cells are the headers of their rows, in this weight. */
  rowHeader?: 'font-normal' | 'font-medium'
  /** Aligned to the right. */
  numeric?: boolean
  /** Classes of head and cells, of the head alone, and of the cells alone. */
  className?: string | undefined
  headClass?: string | undefined
  cellClass?: string | ((row: Row) => string | undefined) | undefined
  /** What names the fact on a card; absent = the head, null = nothing. */
  label?: ReactNode
}

type RowProps = ComponentProps<'tr'> & {
  [data: `data-${string}`]: string | number | null | undefined
}

type DataTableProps<Row> = {
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => Key
  /** Read aloud as the table's name, not shown. */
  caption?: ReactNode
  /** A box of this name that scrolls by itself. */
  scroll?: { name: string; className?: string }
  /** Lines from this width on, and below it a card a row, in the same order of facts. */
  cards?: keyof typeof CARDS
  /** Of table lines: the head stays in sight. */
  stickyHead?: boolean
  /** The head is read aloud and not shown. */
  hiddenHead?: boolean
  /** Classes of the table, and of each cell of its head and its body; each replaces its default. */
  className?: string
  headClass?: string
  cellClass?: string
  /** Attributes of a row; a class replaces the line above it. */
  rowProps?: (row: Row, index: number) => RowProps
}

/** In letters so large that a card is fourteen of them wide, it has one column. */
const NARROW_CARD = {
  row: '@max-[14rem]:grid-cols-1',
  cell: '@max-[14rem]:col-span-full',
} as const

const CARDS = {
  md: {
    table: 'block max-md:@container md:table',
    head: 'sr-only md:not-sr-only md:table-header-group',
    sticky: 'md:sticky md:top-0 md:z-10',
    body: 'block md:table-row-group',
    row: `grid ${NARROW_CARD.row} md:table-row`,
    cell: `block min-w-0 ${NARROW_CARD.cell} md:table-cell`,
    numeric: 'md:text-right',
    label: 'block text-muted text-xs md:hidden',
  },
  lg: {
    table: 'wide-table block max-lg:@container lg:table',
    head: 'sr-only lg:not-sr-only lg:table-header-group',
    sticky: 'lg:sticky lg:top-0 lg:z-10',
    body: 'block lg:table-row-group',
    row: `grid ${NARROW_CARD.row} lg:table-row`,
    cell: `block min-w-0 ${NARROW_CARD.cell} lg:table-cell`,
    numeric: 'lg:text-right',
    label: 'block text-muted text-xs lg:hidden',
  },
} as const

/** A table of which only the columns differ from other tables. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, caption, scroll, stickyHead, hiddenHead, rowProps } = props
  const { className = 'w-full border-line border-b' } = props
  const cards = props.cards && CARDS[props.cards]
  const table = (
    <table className={classNames(className, cards?.table)}>
      {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
      <thead
        className={classNames(cards?.head, stickyHead && cards?.sticky, hiddenHead && 'sr-only')}
      >
        <tr>
          {columns.map((column) => (
            <HeadCell className={props.headClass} column={column} key={keyOfColumn(column)} />
          ))}
        </tr>
      </thead>
      <tbody className={cards?.body}>
        {rows.map((row, index) => {
          const { className: line = 'border-line border-t', ...rest } = rowProps?.(row, index) ?? {}
          return (
            <tr className={classNames(line, cards?.row)} key={keyOf(row, index)} {...rest}>
              {columns.map((column) => (
                <BodyCell
                  cards={cards}
                  className={props.cellClass}
                  column={column}
                  index={index}
                  key={keyOfColumn(column)}
                  row={row}
                />
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
  if (!scroll) return table
  return (
    <ScrollBox aria-label={scroll.name} className={scroll.className ?? 'overflow-x-auto'}>
      {table}
    </ScrollBox>
  )
}

function keyOfColumn<Row>({ id, head }: DataColumn<Row>): string {
  return id ?? String(head)
}

type HeadCellProps<Row> = { column: DataColumn<Row>; className: string | undefined }

function HeadCell<Row>({
  column: { head, title, numeric, className, headClass },
  className: shared = 'h-9 border-line-strong border-b text-muted text-xs',
}: HeadCellProps<Row>) {
  return (
    <th
      className={classNames(
        'font-normal',
        numeric ? 'text-right' : 'text-left',
        shared,
        className,
        headClass,
      )}
      scope="col"
      title={title}
    >
      {head}
    </th>
  )
}

type BodyCellProps<Row> = {
  row: Row
  index: number
  column: DataColumn<Row>
  cards: (typeof CARDS)[keyof typeof CARDS] | undefined
  className: string | undefined
}

function BodyCell<Row>({ row, index, column, cards, className: shared }: BodyCellProps<Row>) {
  const { head, label = head, cell, cellTitle, rowHeader, numeric, className, cellClass } = column
  const classes = classNames(
    cards?.cell,
    rowHeader && `text-left ${rowHeader}`,
    numeric && (cards ? cards.numeric : 'text-right'),
    shared,
    className,
    typeof cellClass === 'function' ? cellClass(row) : cellClass,
  )
  const content = (
    <>
      {cards && label !== null ? (
        <span aria-hidden="true" className={cards.label}>
          {label}
        </span>
      ) : null}
      {cell(row, index)}
    </>
  )
  const title = cellTitle?.(row)
  return rowHeader ? (
    <th className={classes} scope="row" title={title}>
      {content}
    </th>
  ) : (
    <td className={classes} title={title}>
      {content}
    </td>
  )
}

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
      caption={caption}
      cards="md"
      cellClass="md:h-9 md:px-2.5 md:py-1.5 md:align-top md:first:pl-0"
      columns={head.map((name) => ({
        head: name,
        cell: ({ cells }: PlainRow<N>) => <div className="untrusted">{cells[name]}</div>,
        cellClass: wide?.includes(name) ? 'col-span-2' : undefined,
      }))}
      headClass="h-9 border-line-strong border-b bg-bg px-2.5 text-muted text-xs first:pl-0"
      keyOf={({ key }) => key}
      rowProps={() => ({ className: 'grid-cols-2 gap-x-3 gap-y-1.5 border-line border-t py-3' })}
      rows={rows}
    />
  )
}

type ScrollBoxProps = ComponentProps<'section'> & { 'aria-label': string }

/** A box that scrolls by itself, and that the keyboard can reach for it. */
export function ScrollBox(props: ScrollBoxProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the box.
  return <section data-scroll-box tabIndex={0} {...props} />
}
