import { isWorkflow, type Task } from './task.ts'

/** Names of tasks that are listed at most. */
const MOST_NAMED = 5

/** What decides a solution of this task; null where solutions are not graded by tests here. */
export function describeGrading(task: Task): string | null {
  if (isWorkflow(task) || 'kind' in task) return null
  return task.heldOut ? 'visible tests + held-out transcript' : 'visible tests only'
}

/** The same for a suite; where tasks differ, it names those with the fewer checks. */
export function describeSuiteGrading(tasks: readonly Task[]): string | null {
  const graded = tasks.filter((task) => describeGrading(task) !== null)
  const [first] = graded
  if (!first) return null
  const visibleOnly = graded.filter((task) => !('heldOut' in task && task.heldOut))
  if (visibleOnly.length === 0 || visibleOnly.length === graded.length)
    return describeGrading(first)
  const names = visibleOnly.slice(0, MOST_NAMED).map(({ taskId }) => taskId)
  const more = visibleOnly.length - names.length
  const listed = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
  return `held-out transcript on ${graded.length - visibleOnly.length} of ${graded.length} tasks; visible tests only on ${listed}`
}
