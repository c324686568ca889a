import { listBoards } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { SuiteVersion } from '#lib/domain/views/suite-version.ts'

/** The versions of a suite that have a board, the current one first; rows stay with the version they ran. */
export async function listVersions(suiteId: string): Promise<SuiteVersion[]> {
  const db = database()
  const [suite, boards] = await Promise.all([findSuite(db, suiteId), listBoards(db, suiteId)])
  const versions = boards.map(({ board }) => ({
    digest: board.suite.digest,
    tasks: board.suite.tasks.length,
    rows: board.rows.length,
    isCurrent: board.suite.digest === suite?.digest,
  }))
  return versions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}
