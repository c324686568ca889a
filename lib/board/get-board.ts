import { type BoardRecord, findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'

/** A suite's leaderboard as the worker last computed it; a suite without episodes has no rows; null = no such suite. */
export async function getBoard(suiteId: string): Promise<Board | null> {
  const db = database()
  const snapshot: BoardRecord | null = await findBoard(db, suiteId)
  if (snapshot) return snapshot.board
  const suite = await findSuite(db, suiteId)
  return suite && buildBoard({ suite, facts: [], runs: [] })
}
