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
  const others = new Map(right.value.map((tally) => [tally.taskId, tally]))
  const pairs = left.value.flatMap((tally) => {
    const other = others.get(tally.taskId)
    return other ? [{ taskId: tally.taskId, a: tally, b: other }] : []
  })
  if (pairs.length === 0)
    return refused('no-common-tasks', 'The two rows have no scored task in common.')
  return answered(pairs)
}
