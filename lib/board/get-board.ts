import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite, findSuiteVersion } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { buildBoard } from '#lib/domain/board/build-board.ts'
import { digestSchema } from '#lib/domain/digest.ts'

/**
 * A suite's leaderboard as the worker last computed it, of its current version or of the one with digest `version`; a
 * suite without episodes has no rows; null = no such suite or version.
 */
export async function getBoard(
  suiteId: string,
  version: string | null = null,
): Promise<Board | null> {
  const db = database()
  const digest = version === null ? null : digestSchema.safeParse(version)
  if (digest?.success === false) return null
  const suite = digest ? await findSuiteVersion(db, digest.data) : await findSuite(db, suiteId)
  if (suite?.suiteId !== suiteId) return null
  const snapshot = await findBoard(db, suite.digest)
  return snapshot?.board ?? buildBoard({ suite, facts: [], runs: [] })
}
