import type { Board } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { saveBoard } from './board-store.ts'
import type { Db } from './open-db.ts'
import { readBoardInput } from './read-board-input.ts'

/** Computes the board of one version of a suite from what is kept, and keeps it as its snapshot. */
export async function refreshBoard(db: Db, suite: Suite, now: Date): Promise<Board> {
  const { input, ledgerSequence } = await readBoardInput(db, suite)
  const board = buildBoard(input)
  await saveBoard(db, board, { ledgerSequence, now })
  return board
}
