import type { BoardRow } from './board-row.ts'

/** True if a link, a badge or a correction with this id refers to the row. */
export function isRow(
  { rowId, aliases = [] }: Pick<BoardRow, 'rowId' | 'aliases'>,
  id: string,
): boolean {
  return rowId === id || aliases.includes(id)
}

/** Returns the row with this id; its own id takes precedence over an alias. */
export function pickRow<Row extends Pick<BoardRow, 'rowId' | 'aliases'>>(
  rows: readonly Row[],
  id: string,
): Row | undefined {
  return rows.find(({ rowId }) => rowId === id) ?? rows.find((row) => isRow(row, id))
}
