import { type Answer, answered, refused } from './answer.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** One task that both rows have scored episodes of. */
export type TaskPair = { taskId: string; a: TaskTally; b: TaskTally }

/** The tasks common to two rows, sorted by id. Refuses what `scoredTasks` refuses, and rows without a common task. */
export function pairTasks(a: readonly TaskTally[], b: readonly TaskTally[]): Answer<TaskPair[]> {
  const left = scoredTasks(a)
  if (!left.ok) return left
  const right = scoredTasks(b)
  if (!right.ok) return right
  const pairs = mergeTasks(left.value, right.value)
  if (pairs.length === 0)
    return refused('no-common-tasks', 'The two rows have no scored task in common.')
  return answered(pairs)
}

/** Pairs two lists of tallies that are both sorted by task id, as `scoredTasks` leaves them. */
export function mergeTasks(a: readonly TaskTally[], b: readonly TaskTally[]): TaskPair[] {
  const pairs: TaskPair[] = []
  let [left, right] = [0, 0]
  while (left < a.length && right < b.length) {
    const [one, other] = [a[left] as TaskTally, b[right] as TaskTally]
    if (one.taskId === other.taskId) pairs.push({ taskId: one.taskId, a: one, b: other })
    if (one.taskId <= other.taskId) left++
    if (other.taskId <= one.taskId) right++
  }
  return pairs
}
