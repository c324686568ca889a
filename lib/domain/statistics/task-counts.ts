import { countEach, isScored, type OutcomeStatus } from '../record/index.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/**
 * Episode counts of one task in a row. `scored` excludes void and cancelled episodes; `retriedVoids` are void attempts
 * that were retried or replaced, in addition to the `voids` that still count as excluded.
 */
export type TaskCounts = {
  taskId: string
  solved: number
  scored: number
  voids?: number | undefined
  retriedVoids?: number | undefined
  /** Tasks of one family are not independent (`familiesOf`); absent = the task is a family of its own. */
  family?: string | undefined
}

/** The fields of an episode that counts need. */
type Ending = { taskId: string; status: OutcomeStatus }
/** Absent = one. */
type Endings = Ending & { episodes?: number }

/** Counts of a task with its void episodes. */
type CountedTask = TaskCounts & { voids: number }

/**
 * Returns the tasks with at least one scored episode, sorted by id so that the input order does not matter. Refuses no
 * tasks, no scored episodes, invalid counts, and a task that is listed twice.
 */
export function scoredTasks(tallies: readonly TaskCounts[]): StatisticResult<TaskCounts[]> {
  if (tallies.length === 0) return refuseStatistic('no-tasks', 'There are no tasks.')
  const odd = tallies.find((tally) => !isTally(tally))
  if (odd) return refuseStatistic(oddCode(odd), `The counts of task ${odd.taskId} are not counts.`)
  const scored = tallies.filter((tally) => tally.scored > 0)
  if (scored.length === 0) {
    return refuseStatistic(
      'no-scored-episodes',
      'No scored episodes: all are excluded, cancelled or missing.',
    )
  }
  scored.sort((a, b) => (a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0))
  const twice = scored.find(({ taskId }, index) => scored[index + 1]?.taskId === taskId)
  if (twice) return refuseStatistic('count-out-of-range', `Task ${twice.taskId} is counted twice.`)
  return statisticValue(scored)
}

function isTally({ solved, scored, voids = 0, retriedVoids = 0 }: TaskCounts): boolean {
  if (
    ![solved, scored, voids, retriedVoids].every(
      (count) => Number.isSafeInteger(count) && count >= 0,
    )
  )
    return false
  return solved <= scored
}

function oddCode({ solved, scored, voids = 0, retriedVoids = 0 }: TaskCounts) {
  const isNan = [solved, scored, voids, retriedVoids].some((count) => Number.isNaN(count))
  return isNan ? ('not-a-number' as const) : ('count-out-of-range' as const)
}

/** Counts solved, scored and void episodes per task, sorted by task id. Cancelled episodes are not counted. */
export function countTasks(facts: readonly Endings[]): CountedTask[] {
  const tallies = new Map<string, CountedTask>()
  for (const { taskId, status, episodes = 1 } of facts) {
    const tally = tallies.get(taskId) ?? { taskId, solved: 0, scored: 0, voids: 0 }
    tallies.set(taskId, tally)
    if (status === 'solved') tally.solved += episodes
    if (isScored(status)) tally.scored += episodes
    if (status === 'void') tally.voids += episodes
  }
  return [...tallies.values()].sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
}

/** Adds void attempts that were retried or replaced to the tallies: any may have been a failure or a success. */
export function countRetriedVoids<Tally extends TaskCounts>(
  tallies: readonly Tally[],
  retried: readonly Pick<Ending, 'taskId'>[],
): Tally[] {
  const counts = countEach(retried.map(({ taskId }) => taskId))
  return tallies.map((tally) => {
    const retriedVoids = counts.get(tally.taskId)
    return retriedVoids === undefined ? tally : { ...tally, retriedVoids }
  })
}

/** A task with scored episodes in both rows. */
export type TaskPair = { taskId: string; a: TaskCounts; b: TaskCounts }

/**
 * Returns the tasks common to two rows, sorted by id. Refuses what `scoredTasks` refuses, and rows without a common
 * task.
 */
export function pairTasks(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
): StatisticResult<TaskPair[]> {
  const left = scoredTasks(a)
  if (!left.ok) return left
  const right = scoredTasks(b)
  if (!right.ok) return right
  const pairs = mergeTasks(left.value, right.value)
  if (pairs.length === 0)
    return refuseStatistic('no-common-tasks', 'The two entries have no scored task in common.')
  return statisticValue(pairs)
}

/** Pairs two lists of tallies, both sorted by task id, as returned by `scoredTasks`. */
function mergeTasks(a: readonly TaskCounts[], b: readonly TaskCounts[]): TaskPair[] {
  const pairs: TaskPair[] = []
  let [left, right] = [0, 0]
  while (left < a.length && right < b.length) {
    const [one, other] = [a[left] as TaskCounts, b[right] as TaskCounts]
    if (one.taskId === other.taskId) pairs.push({ taskId: one.taskId, a: one, b: other })
    if (one.taskId <= other.taskId) left++
    if (other.taskId <= one.taskId) right++
  }
  return pairs
}

/**
 * Least common multiple of 1 … 25: means of up to 25 repetitions (and 26, 28, 30, 40, 50, 100 …) are integers in it.
 */
export const SCORE_UNITS = 26_771_144_400

/**
 * A task's mean success in whole SCORE_UNITS, so that sums over tasks are exact and equal rates are equal numbers.
 * Rounded, by at most 2e-11, for repetitions that do not divide the unit.
 */
export function taskScore({ solved, scored }: { solved: number; scored: number }): number {
  return Math.round((solved * SCORE_UNITS) / scored)
}
