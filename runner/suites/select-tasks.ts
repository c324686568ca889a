import { unknownName } from '#lib/domain/text/index.ts'
import { usageError } from '../runner-error.ts'
import type { LoadedTask } from './task-folder.ts'

/** Selects tasks in suite order; throws with the nearest names for an unknown one. */
export function selectTasks<T extends LoadedTask>(
  tasks: readonly T[],
  names: readonly string[] | null,
): T[] {
  if (!names) return [...tasks]
  const known = tasks.map(({ task }) => task.taskId)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw usageError(unknownName('task', unknown, known), '--tasks')
  return tasks.filter(({ task }) => names.includes(task.taskId))
}

/** Returns the tasks that the options select. */
export function chooseAskedTasks<T extends LoadedTask>(
  all: readonly T[],
  { tasks, first }: { tasks?: readonly string[]; first?: number },
): T[] {
  return selectTasks(all, tasks ?? null).slice(0, first)
}
