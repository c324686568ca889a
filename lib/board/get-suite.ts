import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite, findSuiteVersion } from '#lib/db/suite-store.ts'
import { taskStatistics } from '#lib/domain/board/task-statistics.ts'
import { verifierErrors } from '#lib/domain/board/verifier-errors.ts'
import { digestSchema } from '#lib/domain/digest.ts'
import { POLICY, tightenPolicy } from '#lib/domain/eligibility/policy.ts'
import type { Suite } from '#lib/domain/suite.ts'
import type { SuiteView } from '#lib/domain/views/suite-view.ts'
import { listVersions } from './list-versions.ts'

/** One version of a suite, the current one where none is named; null = no such suite or version. */
export async function findSuiteOf(suiteId: string, version?: string): Promise<Suite | null> {
  const db = database()
  const digest = version === undefined ? null : digestSchema.parse(version)
  const suite = digest ? await findSuiteVersion(db, digest) : await findSuite(db, suiteId)
  return suite?.suiteId === suiteId ? suite : null
}

/** One suite with its identity and its versions; null = no such suite or version. */
export async function getSuite(suiteId: string, version?: string): Promise<SuiteView | null> {
  const suite = await findSuiteOf(suiteId, version)
  if (!suite) return null
  const [snapshot, versions] = await Promise.all([
    findBoard(database(), suite.digest),
    listVersions(suiteId),
  ])
  const { tasks, thresholds = {}, ...identity } = suite
  const rows = snapshot?.board.rows ?? []
  return {
    ...identity,
    tasks: tasks.length,
    rows: rows.length,
    thresholds: tightenPolicy(POLICY, thresholds).thresholds,
    versions,
    verifierErrors: verifierErrors(rows, tasks),
    taskStatistics: taskStatistics(
      rows,
      tasks.map(({ taskId }) => taskId),
    ),
  }
}
