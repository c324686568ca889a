import type { Suite } from '../suite.ts'
import type { Task } from '../task.ts'
import type { LedgerAction } from './ledger-action.ts'

type Version = Pick<Suite, 'suiteId' | 'digest'> & {
  tasks: readonly Pick<Task, 'taskId' | 'digest'>[]
}

/** The entry's words for a suite's new version; `earlier` null = the suite is new. Task ids in order of their names. */
export function compareVersions(
  earlier: Version | null,
  { suiteId, digest, tasks }: Version,
): LedgerAction & { kind: 'task-version' } {
  const was = new Map(earlier?.tasks.map((task) => [task.taskId, task.digest]))
  const is = new Map(tasks.map((task) => [task.taskId, task.digest]))
  const ids = [...new Set([...was.keys(), ...is.keys()])].sort()
  return {
    kind: 'task-version',
    target: suiteId,
    from: earlier?.digest ?? null,
    to: digest,
    changed: ids.filter((id) => was.has(id) && is.has(id) && was.get(id) !== is.get(id)),
    added: ids.filter((id) => !was.has(id)),
    removed: ids.filter((id) => !is.has(id)),
  }
}
