'use client'

import { Fragment } from 'react'
import { PickBox } from '#components/compare/compare-controls.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { ArrowKeys } from '#components/ui/controls.tsx'
import { BOARD_COLUMNS, type ColumnId } from '#lib/domain/board/index.ts'
import type { Sort, TableRow } from './board-view.ts'
import { ColumnHeader } from './column-header.tsx'
import { BOARD_CELLS, RowCell } from './row-cells.tsx'
import { RowDetails } from './row-details.tsx'

type LeaderboardTableProps = {
  caption: string
  /** In the order to show. */
  rows: readonly TableRow[]
  columns: readonly ColumnId[]
  sort: Sort
  open: readonly string[]
  onSort: (sort: Sort) => void
  onToggle: (rowId: string) => void
}

/** The board: one line a row on a wide screen, one card a row on a narrow one, in the same order of facts. */
export function LeaderboardTable(props: LeaderboardTableProps) {
  const { caption, rows, columns, sort, open, onSort, onToggle } = props
  return (
    <ArrowKeys>
      <table className="block w-full border-line border-b lg:table lg:table-fixed">
        <caption className="sr-only">{caption}</caption>
        <thead className="sr-only lg:not-sr-only lg:sticky lg:top-0 lg:z-10 lg:table-header-group">
          <tr>
            <th className="w-7 border-line-strong border-b bg-bg p-0" scope="col">
              <span className="sr-only">Select</span>
            </th>
            {columns.map((id) => (
              <ColumnHeader id={id} key={id} onSort={onSort} sort={sort} />
            ))}
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">
          {rows.map((row) => (
            <Fragment key={row.id}>
              <BoardTableRow
                columns={columns}
                onToggle={() => onToggle(row.id)}
                open={open.includes(row.id)}
                row={row}
              />
              {open.includes(row.id) ? (
                <tr className="block bg-sunken lg:table-row" id={`details-${row.id}`}>
                  <td className="block px-3 py-4 lg:table-cell" colSpan={columns.length + 1}>
                    <RowDetails row={row} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

type BoardTableRowProps = {
  row: TableRow
  columns: readonly ColumnId[]
  open: boolean
  onToggle: () => void
}

function BoardTableRow({ row, columns, open, onToggle }: BoardTableRowProps) {
  return (
    <tr
      className="relative grid grid-cols-4 gap-x-3 gap-y-1.5 border-line border-t px-3 py-3 lg:table-row lg:h-9"
      data-label={row.label}
      data-row={row.id}
    >
      <td className="absolute top-3 right-3 lg:static lg:table-cell lg:h-9 lg:pl-1.5">
        <PickBox name={row.subject.name} rowId={row.id} />
      </td>
      {columns.map((id) => (
        <td
          className={classNames(
            'block min-w-0 lg:table-cell lg:h-9 lg:truncate lg:px-2.5',
            BOARD_CELLS[id].span,
            BOARD_COLUMNS[id].numeric && 'lg:text-right',
          )}
          key={id}
        >
          <span aria-hidden="true" className="block truncate text-muted text-xs lg:hidden">
            {BOARD_COLUMNS[id].label}
            {BOARD_COLUMNS[id].unit ? `, ${BOARD_COLUMNS[id].unit}` : ''}
          </span>
          <RowCell id={id} onToggle={onToggle} open={open} row={row} />
        </td>
      ))}
    </tr>
  )
}
