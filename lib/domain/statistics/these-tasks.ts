import { toGrain } from './bounded-mean.ts'
import { incompleteBeta } from './incomplete-beta.ts'
import { normalQuantile } from './normal-quantile.ts'
import type { Interval } from './proportion-interval.ts'
import { tailQuantile } from './tail-quantile.ts'
import type { TaskTally } from './task-tally.ts'

/** Less than this is the noise of adding shares. */
const NO_COUNT = 1e-9

/**
 * Interval for the mean success over just these tasks, tried again and again: chance comes from the repetitions alone.
 * The narrower end, on each side, of two intervals that both hold and of which neither can fall when a success is added:
 * - Clopper and Pearson's over all repetitions (Hoeffding 1956: tasks of unequal chance only spread less), counting
 *   each task with the fewest repetitions any task has;
 * - a score interval from the variance within tasks, Σ solved·failed/(n−1), which is much smaller where tasks are
 *   nearly always or nearly never solved: z²/2 + z·√(variance + z²/4) episodes beyond the count. A task tried once tells
 *   no variance and counts with 1/4. The z²/4 under the root keeps an added success from costing more than it brings.
 * `tasks` as `scoredTasks` leaves them, at least one.
 */
export function theseTasksInterval(tasks: readonly TaskTally[], level: number): Interval {
  const fewest = Math.min(...tasks.map(({ scored }) => scored))
  const episodes = tasks.length * fewest
  const rate = tasks.reduce((sum, { solved, scored }) => sum + solved / scored, 0) / tasks.length
  const exact = exactInterval(rate * episodes, episodes, level)
  const variance = tasks.reduce((sum, task) => sum + taskVariance(task, fewest), 0)
  const z = normalQuantile(0.5 + level / 2)
  const reach = (z * z) / 2 + z * Math.sqrt(variance + (z * z) / 4)
  const score = { low: rate - reach / episodes, high: rate + reach / episodes }
  return {
    low: toGrain(Math.max(0, exact.low, score.low)),
    high: toGrain(Math.min(1, exact.high, score.high)),
  }
}

/** Clopper and Pearson's, found faster than to the last digit: a board makes one for every row. */
function exactInterval(solved: number, scored: number, level: number): Interval {
  const tail = (1 - level) / 2
  const failed = scored - solved
  const lowest = (hits: number, misses: number) =>
    hits < NO_COUNT ? 0 : tailQuantile((q) => incompleteBeta(q, hits, misses + 1), tail, 1)
  return { low: lowest(solved, failed), high: 1 - lowest(failed, solved) }
}

/** Variance of one task's share of the count, in episodes of the task with the fewest. */
function taskVariance({ solved, scored }: TaskTally, fewest: number): number {
  const weight = fewest / scored
  if (scored === 1) return weight * weight * 0.25
  return (weight * weight * solved * (scored - solved)) / (scored - 1)
}
