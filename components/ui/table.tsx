import { type ComponentProps, type Key, memo, type ReactNode } from 'react'
import { CARDS, type Cards } from './card-layout.ts'
import { classNames } from './class-names.ts'
import { type DataColumn, keyOfColumn } from './data-column.ts'

type RowProps = ComponentProps<'tr'> & {
  [data: `data-${string}`]: string | number | null | undefined
}

/** Rows under a common heading. */
type RowGroup<Row> = { id: string; label: string; head: ReactNode; rows: readonly Row[] }

/** Header of a sortable column: its content and current order. */
export type SortHead = { content: ReactNode; order: 'ascending' | 'descending' | undefined }

/** Heights of the rows before and after the rendered part of a long table. */
type Spaces = { before: number; after: number }

export type DataTableProps<Row> = {
  columns: readonly DataColumn<Row>[]
  rows: readonly Row[]
  /** Replaces `rows`. */
  groups?: readonly RowGroup<Row>[] | undefined
  /** Details of an open row; null = closed. */
  detailOf?: ((row: Row) => ReactNode | null) | undefined
  /** Renders a sortable header; null = not sortable. */
  sortHead?: ((column: DataColumn<Row>) => SortHead | null) | undefined
  /** Widths in pixels by column; absent = by content and classes. */
  widths?: Readonly<Record<string, number>> | undefined
  spaces?: Spaces | undefined
  /** Column widths if `widths` is absent. */
  colgroup?: ReactNode
  keyOf: (row: Row, index: number) => Key
  /** Accessible name of the table, visually hidden. */
  caption?: ReactNode
  /** Wraps the table in a named scroll container. */
  scroll?: { name: string; className?: string }
  /** Lines from this width on, and cards below it, with facts in the same order. */
  cards?: keyof typeof CARDS
  /** True = the header stays in view; only for lines. */
  stickyHead?: boolean
  /** True = the header is visually hidden. */
  hiddenHead?: boolean
  /** Classes of the table and of header and body cells; each replaces its default. */
  className?: string
  headClass?: string
  cellClass?: string
  /** Attributes of a row; a class replaces its border. */
  rowProps?: (row: Row) => RowProps
}

/** A table that is defined by its columns. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, groups, caption, scroll, widths, spaces } = props
  const { className = 'w-full border-line border-b' } = props
  const cards = props.cards && CARDS[props.cards]
  const span = columns.length
  const parts = groups ?? [{ id: '', label: '', head: null, rows }]
  const table = (
    <table
      className={classNames(className, cards?.table, widths && 'lg:table-fixed')}
      style={widths && { minWidth: sumOf(columns, widths) }}
    >
      {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
      {widths ? <Widths columns={columns} widths={widths} /> : props.colgroup}
      <TableHead {...props} cards={cards} />
      {parts.map(({ id, label, head, rows: own }, place) => (
        <tbody
          aria-label={label || undefined}
          className={cards?.body}
          id={id || undefined}
          key={id}
        >
          {place === 0 ? <Space height={spaces?.before} span={span} /> : null}
          {head === null ? null : (
            <tr className={cards?.whole}>
              <th
                className={classNames(
                  'border-line border-t bg-sunken px-3 py-1.5 text-left font-normal text-muted',
                  cards?.wholeCell,
                )}
                colSpan={span}
                scope="rowgroup"
              >
                {head}
              </th>
            </tr>
          )}
          {own.map((row, index) => {
            const key = props.keyOf(row, index)
            return (
              <BodyRow
                cards={cards}
                cellClass={props.cellClass}
                columns={columns}
                detail={props.detailOf?.(row) ?? null}
                hasWidths={widths !== undefined}
                key={key}
                name={String(key)}
                row={row}
                rowProps={props.rowProps}
              />
            )
          })}
          {place === parts.length - 1 ? <Space height={spaces?.after} span={span} /> : null}
        </tbody>
      ))}
    </table>
  )
  if (!scroll) return table
  return (
    <ScrollBox aria-label={scroll.name} className={scroll.className ?? 'overflow-x-auto'}>
      {table}
    </ScrollBox>
  )
}

const PINNED = 'lg:sticky lg:left-0 lg:z-1 lg:bg-surface'

type BodyRowProps<Row> = {
  row: Row
  columns: readonly DataColumn<Row>[]
  rowProps: DataTableProps<Row>['rowProps'] | undefined
  cellClass: string | undefined
  /** Key of the row, for the id of its details. */
  name: string
  /** Null = closed. */
  detail: ReactNode | null
  cards: Cards | undefined
  hasWidths: boolean
}

/** Drawn again only if its props changed, so that opening one of many rows costs one row. */
const BodyRow = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<Row>(props: BodyRowProps<Row>) {
  const { row, name, columns, cards, rowProps, detail } = props
  const { className: line = 'border-line border-t', ...rest } = rowProps?.(row) ?? {}
  return (
    <>
      <tr className={classNames(line, cards?.row)} {...rest}>
        {columns.map((column) => drawCell(column, props))}
      </tr>
      {detail === null ? null : (
        <tr className={classNames('bg-sunken', cards?.whole)} id={`details-${name}`}>
          <td className={classNames('px-3 py-4', cards?.wholeCell)} colSpan={columns.length}>
            {detail}
          </td>
        </tr>
      )}
    </>
  )
}

/** A function and not a component: a long table has thousands of cells. */
function drawCell<Row>(
  column: DataColumn<Row>,
  { row, cards, hasWidths, cellClass: shared, detail }: BodyRowProps<Row>,
) {
  const { head, label = head, cell, cellTitle, rowHeader, numeric, className, cellClass } = column
  const classes = classNames(
    cards?.cell,
    rowHeader && `text-left ${rowHeader}`,
    numeric && (cards ? cards.numeric : 'text-right'),
    shared,
    hasWidths && column.isPinned && PINNED,
    className,
    typeof cellClass === 'function' ? cellClass(row) : cellClass,
  )
  const rest = {
    className: classes,
    title: cellTitle?.(row),
    // The style of a card shows it above the value.
    'data-card': cards && typeof label === 'string' ? label : undefined,
  }
  const content = cell(row, detail !== null)
  const key = keyOfColumn(column)
  return rowHeader ? (
    <th {...rest} key={key} scope="row">
      {content}
    </th>
  ) : (
    <td {...rest} key={key}>
      {content}
    </td>
  )
}

type WidthsProps<Row> = Required<Pick<DataTableProps<Row>, 'columns' | 'widths'>>

function Widths<Row>({ columns, widths }: WidthsProps<Row>) {
  return (
    <colgroup>
      {columns.map((column) => (
        <col key={keyOfColumn(column)} style={{ width: widths?.[keyOfColumn(column)] }} />
      ))}
    </colgroup>
  )
}

function sumOf<Row>(columns: readonly DataColumn<Row>[], widths: Record<string, number>) {
  return columns.reduce((sum, column) => sum + (widths[keyOfColumn(column)] ?? 0), 0)
}

/** Replaces rows that are far from the viewport. */
function Space({ height, span }: { height: number | undefined; span: number }) {
  if (!height) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused.
    <tr aria-hidden="true" data-space>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  )
}

type TableHeadProps<Row> = Pick<
  DataTableProps<Row>,
  'columns' | 'widths' | 'sortHead' | 'stickyHead' | 'hiddenHead' | 'headClass'
> & { cards: Cards | undefined }

function TableHead<Row>(props: TableHeadProps<Row>) {
  const { columns, widths, cards, sortHead, stickyHead, hiddenHead, headClass } = props
  return (
    <thead
      className={classNames(
        sortHead ? cards?.sortHead : cards?.head,
        stickyHead && cards?.sticky,
        hiddenHead && 'sr-only',
      )}
    >
      <tr className={sortHead && cards?.headRow}>
        {columns.map((column) => (
          <HeadCell
            cards={sortHead && cards}
            className={headClass}
            column={column}
            isPinned={widths !== undefined && column.isPinned === true}
            key={keyOfColumn(column)}
            sortHead={sortHead?.(column) ?? null}
          />
        ))}
      </tr>
    </thead>
  )
}

type HeadCellProps<Row> = {
  column: DataColumn<Row>
  className: string | undefined
  isPinned: boolean
  /** Absent = not above cards, or above cards without links that sort. */
  cards: Cards | undefined
  sortHead: SortHead | null
}

function HeadCell<Row>({
  column: { head, title, numeric, className, headClass },
  className: shared = 'h-9 border-line-strong border-b text-muted text-xs',
  isPinned,
  cards,
  sortHead,
}: HeadCellProps<Row>) {
  return (
    <th
      aria-sort={sortHead?.order}
      className={classNames(
        'font-normal',
        numeric ? 'text-right' : 'text-left',
        shared,
        isPinned ? PINNED : sortHead && 'relative',
        sortHead ? cards?.sortable : cards?.unsortable,
        className,
        headClass,
      )}
      scope="col"
      title={title}
    >
      {sortHead?.content ?? head}
    </th>
  )
}

type ScrollBoxProps = ComponentProps<'section'> & { 'aria-label': string }

/** A scroll container that the keyboard can reach. */
export function ScrollBox(props: ScrollBoxProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the box.
  return <section data-scroll-box tabIndex={0} {...props} />
}
