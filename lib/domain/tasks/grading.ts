import { countOf } from '../text/index.ts'
import { type Task, taskKind } from './task.ts'

/** Maximum number of task names in a description. */
const MAX_NAMED = 5

/** Describes how a solution of this task is graded; null = not graded by tests here. */
export function describeGrading(task: Task): string | null {
  return taskKind(task).grading(task)
}

/** Describes grading for a suite; where tasks differ, it names those with fewer checks. */
export function describeSuiteGrading(tasks: readonly Task[]): string | null {
  const graded = tasks.filter((task) => describeGrading(task) !== null)
  const [first] = graded
  if (!first) return null
  if (graded.some((task) => taskKind(task).isGradedAlike)) return describeGrading(first)
  const visibleOnly = graded.filter((task) => !('heldOut' in task && task.heldOut))
  if (visibleOnly.length === 0 || visibleOnly.length === graded.length)
    return describeGrading(first)
  const names = visibleOnly.slice(0, MAX_NAMED).map(({ taskId }) => taskId)
  const more = visibleOnly.length - names.length
  const listed = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
  return `held-out transcript on ${graded.length - visibleOnly.length} of ${countOf(graded.length, 'task')}; visible tests only on ${listed}`
}
