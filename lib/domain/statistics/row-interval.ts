import { countOf } from '../text/index.ts'
import { incompleteBeta, normalQuantile, tailQuantile } from './distributions.ts'
import { unitMeans } from './families.ts'
import {
  boundedMeanInterval,
  CONFIDENCE,
  type Interval,
  toGrain,
  wilsonInterval,
} from './intervals.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'
import { pairTasks, scoredTasks, type TaskCounts } from './task-counts.ts'

/**
 * A row's success rate with two intervals, all 0–1, each with its `method`. `low` and `high` are about *tasks like
 * these* (the tasks are a sample of such tasks), `theseTasks` about *these tasks* alone, tried again (only the
 * repetitions vary).
 */
type RowInterval = Interval & {
  rate: number
  method: string
  theseTasks: Interval & { method: string }
  /** Variance of one repetition within a task, and of true task means; null if repetitions cannot separate them. */
  variance: { within: number; between: number } | null
  /** sd(task means) / √T; null for one task. Not used for the interval. */
  standardError: number | null
  tasks: number
  attempts: number
}

/** With fewer tasks, a note states how much one of them moves the rate. */
export const FEW_TASKS = 12

/** Note beside a rate over few tasks. */
export function fewTasksNote(tasks: number): string {
  return `few tasks: one task moves the rate by up to ${countOf(Math.round(100 / tasks), 'point')}`
}

/** Methods of a row's intervals; `tasks` is `25 tasks`, or `T tasks` in general descriptions. */
export const ROW_METHODS = {
  tasks: (tasks: string) => `bounded mean of ${tasks} and one worst-case unseen task`,
  families: (families: string, tasks: string) =>
    `bounded mean of ${families} of ${tasks} and one worst-case unseen family`,
  oneTask: 'Wilson on the repetitions of one task; says nothing about other tasks',
  theseTasks: 'variance within tasks, at most that of all repetitions pooled',
  unequal: '; unequal repetitions, equal task weights',
}

/**
 * Mean success over tasks, each task with the same weight, with both intervals. Tasks like these: `boundedMeanInterval`
 * of the task means, at least as wide as for these tasks alone. These tasks: `theseTasksInterval`. One task: Wilson on
 * its repetitions, for both. One more success never lowers a bound. Refuses: no tasks, no scored episodes, invalid
 * counts.
 */
export function rowInterval(
  tallies: readonly TaskCounts[],
  level: number = CONFIDENCE,
): StatisticResult<RowInterval> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const means = tasks.map((task) => task.solved / task.scored)
  const variances = estimateVariances(tasks)
  const row = {
    rate: mean(means),
    variance: variances.ok
      ? { within: variances.value.sSquared, between: variances.value.vSquared }
      : null,
    tasks: tasks.length,
    attempts: tasks.reduce((sum, task) => sum + task.scored, 0),
  }
  const [only] = tasks
  if (only && tasks.length === 1) {
    const bounds = wilsonInterval(only.solved, only.scored, level)
    if (!bounds.ok) return bounds
    const theseTasks = { ...bounds.value, method: ROW_METHODS.oneTask }
    const method = `${ROW_METHODS.oneTask}; ${fewTasksNote(1)}`
    return statisticValue({ ...row, ...bounds.value, method, theseTasks, standardError: null })
  }
  const balanced = tasks.every((task) => task.scored === only?.scored)
  const note = balanced ? '' : ROW_METHODS.unequal
  const within = theseTasksInterval(tasks, level)
  const { values, weights, unit } = unitMeans(tasks, means)
  const sample = boundedMeanInterval({ values, weights, floor: 0, ceiling: 1 }, level)
  const counted = countOf(tasks.length, 'task')
  return statisticValue({
    ...row,
    low: Math.min(sample.low, within.low),
    high: Math.max(sample.high, within.high),
    method:
      (unit === 'task'
        ? ROW_METHODS.tasks(counted)
        : ROW_METHODS.families(countOf(values.length, 'family'), counted)) +
      note +
      (tasks.length < FEW_TASKS ? `; ${fewTasksNote(tasks.length)}` : ''),
    theseTasks: { ...within, method: ROW_METHODS.theseTasks + note },
    standardError: clusteredStandardError(means),
  })
}

/** sd(m) / sqrt(T): the cluster-robust error of a mean with one value per cluster; needs two or more means. */
export function clusteredStandardError(means: readonly number[]): number {
  const centre = mean(means)
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (means.length - 1) / means.length)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Smaller values are noise from adding shares. */
const NO_COUNT = 1e-9

/**
 * Interval for the mean success over just these tasks, tried repeatedly: only the repetitions vary. Takes on each side
 * the narrower end of two valid intervals, neither of which can fall when a success is added:
 * - Clopper and Pearson's over all repetitions (Hoeffding 1956: tasks of unequal probability only spread less),
 *   counting each task with the fewest repetitions any task has;
 * - a score interval from the variance within tasks, Σ solved·failed/(n−1), which is much smaller if tasks are nearly
 *   always or nearly never solved: z²/2 + z·√(variance + z²/4) episodes beyond the count. A task tried once gives no
 *   variance and counts with 1/4. The z²/4 under the root keeps an added success from costing more than it brings.
 *
 * `tasks` as returned by `scoredTasks`, at least one.
 */
function theseTasksInterval(tasks: readonly TaskCounts[], level: number): Interval {
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

/** Clopper and Pearson's, computed faster than to the last digit, because a board needs one for every row. */
function exactInterval(solved: number, scored: number, level: number): Interval {
  const tail = (1 - level) / 2
  const failed = scored - solved
  const lowest = (hits: number, misses: number) =>
    hits < NO_COUNT ? 0 : tailQuantile((q) => incompleteBeta(q, hits, misses + 1), tail, 1)
  return { low: lowest(solved, failed), high: 1 - lowest(failed, solved) }
}

/** Variance of one task's share of the count, in episodes of the task with the fewest. */
function taskVariance({ solved, scored }: TaskCounts, fewest: number): number {
  const weight = fewest / scored
  if (scored === 1) return weight * weight * 0.25
  return (weight * weight * solved * (scored - solved)) / (scored - 1)
}

/** Variance components of one row: of true task means (v²), and of one repetition within a task (s²). */
export type RowVariances = { vSquared: number; sSquared: number; tasks: number }

/**
 * Splits a row's spread into tasks and chance, for the planner. Within: mean of n·m(1-m)/(n-1) over tasks with two or
 * more repetitions; between: variance of the task means less the chance part, at least 0. Refuses rows with one task or
 * without repetitions.
 */
export function estimateVariances(tallies: readonly TaskCounts[]): StatisticResult<RowVariances> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const repeated = tasks.filter((task) => task.scored > 1)
  if (tasks.length < 2 || repeated.length === 0) {
    return refuseStatistic(
      'out-of-reach',
      'At least two tasks with repetitions are needed to estimate the variance.',
    )
  }
  const sSquared = mean(
    repeated.map(({ solved, scored }) => (solved * (scored - solved)) / scored / (scored - 1)),
  )
  const chance = sSquared * mean(tasks.map((task) => 1 / task.scored))
  const vSquared = Math.max(0, spread(tasks.map((task) => task.solved / task.scored)) - chance)
  return statisticValue({ vSquared, sSquared, tasks: tasks.length })
}

/** w² of two rows over their common tasks: variance of the differences less the chance part, at least 0. */
export function estimateDifferenceVariance(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
): StatisticResult<number> {
  const pairs = pairTasks(a, b)
  if (!pairs.ok) return pairs
  const [left, right] = [estimateVariances(a), estimateVariances(b)]
  if (!left.ok) return left
  if (!right.ok) return right
  if (pairs.value.length < 2)
    return refuseStatistic('out-of-reach', 'At least two common tasks are needed.')
  const total = spread(
    pairs.value.map((pair) => pair.a.solved / pair.a.scored - pair.b.solved / pair.b.scored),
  )
  const chanceA = left.value.sSquared * mean(pairs.value.map((pair) => 1 / pair.a.scored))
  const chanceB = right.value.sSquared * mean(pairs.value.map((pair) => 1 / pair.b.scored))
  return statisticValue(Math.max(0, total - chanceA - chanceB))
}

/** Mean w² of all pairs of some rows, more stable than that of one pair. Null = no pair has one. */
export function pooledDifferenceVariance(rows: readonly (readonly TaskCounts[])[]): number | null {
  const used = rows.slice(0, MAX_POOLED_ROWS)
  const found = used.flatMap((a, index) =>
    used.slice(index + 1).flatMap((b) => {
      const one = estimateDifferenceVariance(a, b)
      return one.ok ? [one.value] : []
    }),
  )
  return found.length === 0 ? null : mean(found)
}

const MAX_POOLED_ROWS = 12

function spread(values: readonly number[]): number {
  const centre = mean(values)
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1)
}
