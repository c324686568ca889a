import { listBoardsWithRows } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { type Board, type BoardRow, pickRow } from '#lib/domain/board/board-row.ts'

/** A row by its id, on the board of whatever suite and version shows it; null = on none. */
export async function findRow(rowId: string): Promise<{ row: BoardRow; board: Board } | null> {
  const [record] = await listBoardsWithRows(database(), [rowId])
  const row = record && pickRow(record.board.rows, rowId)
  return record && row ? { row, board: record.board } : null
}
