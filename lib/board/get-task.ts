import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import type { Suite } from '#lib/domain/suite.ts'
import type { Task } from '#lib/domain/task.ts'

export type TaskOfSuite = { suite: Pick<Suite, 'suiteId' | 'title'>; task: Task }

/** One task of a suite's current version; null = no such suite or task. */
export async function getTask(suiteId: string, taskId: string): Promise<TaskOfSuite | null> {
  const suite = await findSuite(database(), suiteId)
  const task = suite?.tasks.find((one) => one.taskId === taskId)
  return suite && task ? { suite: { suiteId, title: suite.title }, task } : null
}
