'use client'

import { Fragment, type ReactNode } from 'react'
import { PickBox } from '#components/compare/compare-controls.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ArrowKeys } from '#components/ui/controls.tsx'
import { BOARD_COLUMNS, type ColumnId } from '#lib/domain/board/index.ts'
import type { AgainstBaseline } from '#lib/domain/compare/index.ts'
import { BaselineCell, BaselineHeader } from './baseline.tsx'
import type { BandRows, Sort, TableRow } from './board-view.ts'
import { ColumnHeader, columnTitle } from './column-header.tsx'
import { BOARD_CELLS, RowCell } from './row-cells.tsx'

type LeaderboardTableProps = {
  caption: string
  /** In the order to show. */
  bands: readonly BandRows[]
  columns: readonly ColumnId[]
  sort: Sort
  open: readonly string[]
  /** Of the open rows that the server has answered. */
  details: Readonly<Record<string, ReactNode>>
  /** Null = no baseline is chosen. */
  against: AgainstBaseline | null
  onSort: (sort: Sort) => void
  onToggle: (rowId: string) => void
}

/**
 * The board: one line a row on a wide screen, one card a row on a narrow one, in the same order of facts. A band holds
 * the rows that are ranked with each other, and is sorted by itself.
 */
export function LeaderboardTable(props: LeaderboardTableProps) {
  const { caption, bands, columns, sort, open, details, against, onSort, onToggle } = props
  const width = columns.length + (against ? 2 : 1)
  const entries = entriesHead(bands.flatMap(({ rows }) => rows))
  return (
    <ArrowKeys>
      <table className="wide-table block w-full border-line border-y bg-surface lg:table lg:table-fixed lg:border-x">
        <caption className="sr-only">{caption}</caption>
        <ColumnWidths columns={columns} count={width} />
        <thead className="sr-only lg:not-sr-only lg:sticky lg:top-0 lg:z-10 lg:table-header-group">
          <tr>
            <th className="w-8 border-line-strong border-b bg-surface p-0" scope="col">
              <span className="sr-only">Select</span>
            </th>
            {columns.map((id) => (
              <ColumnHeader
                id={id}
                key={id}
                label={id === 'subject' ? entries : undefined}
                onSort={onSort}
                sort={sort}
              />
            ))}
            {against ? <BaselineHeader /> : null}
          </tr>
        </thead>
        {bands.map(({ band, rows, total }) => (
          <tbody
            aria-label={band.title}
            className="block lg:table-row-group"
            id={band.id}
            key={band.id}
          >
            <tr className="block lg:table-row">
              <th
                className="block border-line border-t bg-sunken px-3 py-1.5 text-left font-normal text-muted lg:table-cell"
                colSpan={width}
                scope="rowgroup"
              >
                <span className="font-semibold text-ink">{band.title}</span> · {band.aside} ·{' '}
                {total}
              </th>
            </tr>
            {rows.map((row) => (
              <Fragment key={row.id}>
                <BoardTableRow
                  against={against}
                  columns={columns}
                  onToggle={() => onToggle(row.id)}
                  open={open.includes(row.id)}
                  row={row}
                />
                {open.includes(row.id) ? (
                  <tr className="block bg-sunken lg:table-row" id={`details-${row.id}`}>
                    <td className="block px-3 py-4 lg:table-cell" colSpan={width}>
                      {details[row.id] ?? <p className="text-muted">Loading details…</p>}
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        ))}
      </table>
    </ArrowKeys>
  )
}

/**
 * A band spans all columns, also those without cells between `lg` and `xl`. As cells move up, these are the last ones: they
 * get no width there, else the table would end before its frame.
 */
function ColumnWidths({
  columns,
  count,
}: Pick<LeaderboardTableProps, 'columns'> & { count: number }) {
  const withoutCells = columns.filter((id) => BOARD_CELLS[id].wide).length
  return (
    <colgroup className="hidden lg:table-column-group">
      <col span={count - withoutCells} />
      {withoutCells > 0 ? <col className="lg:max-xl:w-0" span={withoutCells} /> : null}
    </colgroup>
  )
}

/** What the rows are, as the head of their column says it. */
function entriesHead(rows: readonly TableRow[]): string | undefined {
  const kinds = new Set(rows.map(({ subject }) => subject.kind))
  kinds.delete('control')
  if (kinds.size !== 1) return undefined
  return kinds.has('agent') ? 'Agent' : 'Library'
}

/** On a card, and in a table that is wide enough for all columns. */
const WIDE_CELL = 'lg:max-xl:hidden xl:table-cell'

type BoardTableRowProps = {
  row: TableRow
  against: AgainstBaseline | null
  columns: readonly ColumnId[]
  open: boolean
  onToggle: () => void
}

function BoardTableRow({ row, against, columns, open, onToggle }: BoardTableRowProps) {
  return (
    <tr
      className="relative grid grid-cols-4 gap-x-2 gap-y-1 border-line border-t px-3 py-3 hover:bg-bg lg:table-row lg:h-10"
      data-label={row.label}
      data-row={row.id}
    >
      <td className="absolute top-3 right-3 print:invisible lg:static lg:table-cell lg:h-10 lg:pl-2">
        <PickBox name={row.subject.name} rowId={row.id} />
      </td>
      {columns.map((id) => {
        const { span, wide, label } = BOARD_CELLS[id]
        const { numeric } = BOARD_COLUMNS[id]
        return (
          <td
            className={classNames(
              'block min-w-0 lg:h-10 lg:px-2.5 lg:py-1',
              span,
              wide ? WIDE_CELL : 'lg:table-cell',
              numeric && 'lg:text-right',
            )}
            key={id}
          >
            {label === null ? null : (
              <span
                aria-hidden="true"
                className="block text-[0.6875rem] text-muted leading-4 lg:hidden"
              >
                {label ?? columnTitle(id)}
              </span>
            )}
            <RowCell id={id} onToggle={onToggle} open={open} row={row} />
          </td>
        )
      })}
      {against ? (
        <td className="col-span-4 block lg:table-cell lg:h-10 lg:px-2.5">
          <BaselineCell against={against[row.id]} />
        </td>
      ) : null}
    </tr>
  )
}
