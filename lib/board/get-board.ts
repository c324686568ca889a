import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'

/** A suite's leaderboard as the worker last computed it; a suite without episodes has no rows; null = no such suite. */
export async function getBoard(suiteId: string): Promise<Board | null> {
  const db = database()
  const suite = await findSuite(db, suiteId)
  if (!suite) return null
  const snapshot = await findBoard(db, suite.digest)
  return snapshot?.board ?? buildBoard({ suite, facts: [], runs: [] })
}
