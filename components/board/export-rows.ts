import { type ColumnId, EXPORTED_FIELDS } from '#lib/domain/board/index.ts'
import { type TableCell, toCsv, toMarkdown } from '#lib/domain/record/index.ts'
import type { TableRow } from './board-view.ts'

/** The rows as a spreadsheet reads them. */
export function rowsToCsv(rows: readonly TableRow[], hidden: readonly ColumnId[]): string {
  return toCsv(cellsOf(rows, hidden))
}

/** A Markdown table of the same columns, to be read. */
export function rowsToMarkdown(rows: readonly TableRow[], hidden: readonly ColumnId[]): string {
  return toMarkdown(cellsOf(rows, hidden))
}

/** Exact values with their units in the header; the board's column choice decides which appear. */
function cellsOf(rows: readonly TableRow[], hidden: readonly ColumnId[]): TableCell[][] {
  const shown = EXPORTED_FIELDS.map((exported, at) => ({ ...exported, at })).filter(
    ({ column, rare, at }) =>
      !hidden.includes(column) && (!rare || rows.some(({ exported }) => exported[at] != null)),
  )
  const head = shown.map(({ name }) => name)
  return [head, ...rows.map(({ exported }) => shown.map(({ at }) => exported[at] ?? null))]
}
