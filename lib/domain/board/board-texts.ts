import { canonicalJson, type Digest, digestBytes, digestJson } from '../digest/index.ts'
import { type Board, type BoardRow, boardRowSchema, boardSchema } from './board-row.ts'

/** The bytes of a board: served by `/api/v1/leaderboard`, and reproduced by a rebuild. */
export function serializeBoard(board: Board): string {
  return joinBoard(splitBoard(board))
}

/** A board's bytes in parts, as stored: those of each row, in the order of the board, and those around them. */
export type BoardTexts = { frame: string; rows: readonly RowText[] }
/** The bytes of a row and their digest. */
export type RowText = { rowId: string; text: string; digest: Digest }

/** Splits a board's bytes into parts. */
export function splitBoard(board: Board): BoardTexts {
  return { frame: frameText(board), rows: board.rows.map(rowText) }
}

/** The bytes around those of the rows. */
export function frameText(board: Board): string {
  return canonicalJson(boardSchema.parse({ ...board, rows: [] }))
}

/** The bytes of one row on its board. */
export function rowText(row: BoardRow): RowText {
  const text = canonicalJson(boardRowSchema.parse(row))
  return { rowId: row.rowId, text, digest: digestBytes(text) }
}

/** Joins the parts to a board's bytes. */
export function joinBoard({
  frame,
  rows,
}: {
  frame: string
  rows: readonly { text: string }[]
}): string {
  const at = frame.indexOf(`${ROWS}]`) + ROWS.length
  return frame.slice(0, at) + rows.map(({ text }) => text).join() + frame.slice(at)
}

/**
 * A stored board: its bytes, or those around its rows if `rowOrder` lists the ids of its rows, separated by commas.
 * `digest` is that of the whole board.
 */
type StoredParts = { board: string; rowOrder: string | null; digest: string }

/**
 * Returns a stored board's bytes; `textOf` returns those of a row. Null = they do not match the stored digest, for
 * example because an earlier version wrote one part of them.
 */
export function joinStoredBoard(
  { board, rowOrder, digest }: StoredParts,
  textOf: (rowId: string) => string | undefined,
): string | null {
  if (rowOrder === null) return digestBytes(board) === digest ? board : null
  const ids = rowOrder === '' ? [] : rowOrder.split(',')
  const texts = { frame: board, rows: ids.map((rowId) => storedRow(rowId, textOf(rowId) ?? '')) }
  return digestBoard(texts) === digest ? joinBoard(texts) : null
}

function storedRow(rowId: string, text: string): RowText {
  return { rowId, text, digest: digestBytes(text) }
}

/** Digest of the parts' digests: those of unchanged rows are known, and a board's bytes are megabytes. */
export function digestBoard({ frame, rows }: BoardTexts): Digest {
  return digestJson([digestBytes(frame), ...rows.map(({ digest }) => digest)])
}

// Quotes are escaped in texts, and other members of this name are numbers, so this matches only the board's own list.
const ROWS = '"rows":['
