import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { listSuites as listKeptSuites } from '#lib/db/suite-store.ts'

/** A suite in the switch: how many tasks it has and how many rows its board. */
export type SuiteSummary = { suiteId: string; title: string; tasks: number; rows: number }

/** Every suite this server knows; built-in `typescript` first, then by name. */
export async function listSuites(): Promise<SuiteSummary[]> {
  const db = database()
  const suites = await listKeptSuites(db)
  const summaries = suites.map(async ({ suiteId, title, tasks, digest }) => {
    const snapshot = await findBoard(db, digest)
    return { suiteId, title, tasks: tasks.length, rows: snapshot?.board.rows.length ?? 0 }
  })
  const list = await Promise.all(summaries)
  return list.sort((a, b) => Number(b.suiteId === FIRST) - Number(a.suiteId === FIRST))
}

const FIRST = 'typescript'
