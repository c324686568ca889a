import { type Answer, answered, refused } from './answer.ts'

/** One task's part of a row: counts of episodes. `scored` leaves out void and cancelled ones. */
export type TaskTally = { taskId: string; solved: number; scored: number; voids?: number }

/**
 * The tasks that carry information (at least one scored episode), sorted by id so that input order never matters.
 * Refuses no tasks, no scored episodes, and counts that are no counts.
 */
export function scoredTasks(tallies: readonly TaskTally[]): Answer<TaskTally[]> {
  if (tallies.length === 0) return refused('no-tasks', 'There are no tasks.')
  const odd = tallies.find((tally) => !isTally(tally))
  if (odd) return refused(oddCode(odd), `The counts of task ${odd.taskId} are not counts.`)
  const scored = tallies.filter((tally) => tally.scored > 0)
  if (scored.length === 0) {
    return refused(
      'no-scored-episodes',
      'No episode was scored: all are void, cancelled or missing.',
    )
  }
  return answered(scored.sort((a, b) => (a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0)))
}

function isTally({ solved, scored, voids = 0 }: TaskTally): boolean {
  if (![solved, scored, voids].every((count) => Number.isSafeInteger(count) && count >= 0))
    return false
  return solved <= scored
}

function oddCode({ solved, scored, voids = 0 }: TaskTally) {
  const isNan = [solved, scored, voids].some((count) => Number.isNaN(count))
  return isNan ? ('not-a-number' as const) : ('count-out-of-range' as const)
}
