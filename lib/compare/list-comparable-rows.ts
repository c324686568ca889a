import { listBoards } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuiteVersion, listSuites } from '#lib/db/suite-store.ts'
import type { BoardRow } from '#lib/domain/board/board-row.ts'

/** The rows of one suite version, which can all be compared with each other. */
export type ComparableRows = {
  suiteId: string
  title: string
  version: string | null
  digest: string
  isCurrent: boolean
  rows: BoardRow[]
}

/** Every suite version that has rows; a suite's current version before its earlier ones. */
export async function listComparableRows(): Promise<ComparableRows[]> {
  const db = database()
  const suites = await listSuites(db)
  const boards = suites.map(async ({ suiteId, digest: current }) => {
    const records = await listBoards(db, suiteId)
    const versions = records.map(async ({ board: { suite, rows } }) => {
      const kept = await findSuiteVersion(db, suite.digest)
      const isCurrent = suite.digest === current
      const { title, digest } = suite
      return { suiteId, title, version: kept?.version ?? null, digest, isCurrent, rows }
    })
    return (await Promise.all(versions)).sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  })
  return (await Promise.all(boards)).flat().filter(({ rows }) => rows.length > 0)
}
