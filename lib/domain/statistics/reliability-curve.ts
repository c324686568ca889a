import { countOf } from '../text/index.ts'
import { unitMeans } from './families.ts'
import { boundedMeanInterval, CONFIDENCE, toGrain, wilsonInterval } from './intervals.ts'
import { rowInterval } from './row-interval.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'
import { scoredTasks, type TaskCounts } from './task-counts.ts'

/** One point of a pass^k curve: the probability that k attempts of a task all succeed, 0–1, with its interval. */
type ReliabilityPoint = { k: number; rate: number; low: number; high: number }

/** A pass^k curve, k ascending from 1; `method` describes the band. */
type ReliabilityCurve = { points: ReliabilityPoint[]; method: string }

/** Maximum points of a curve: every k up to it, beyond it steps of equal size. */
export const MAX_POINTS = 10

/** Methods of the band; `tasks` is `25 tasks`, or `T tasks` in general descriptions. */
export const CURVE_METHODS = {
  tasks: (tasks: string) =>
    `mean of pass^k over ${tasks}; each point’s interval is the bounded mean with one worst-case unseen task; that of the first point is the entry’s own`,
  oneTask:
    'Wilson on the repetitions of one task, to the power of k; says nothing about other tasks',
}

/**
 * Computes pass^k of a row for k = 1 … K, where K is the smallest number of scored repetitions of any task: the
 * unbiased C(c,k)/C(n,k) of each task, then the mean over tasks (Yao et al. 2024). Each point's interval comes from the
 * tasks' own values, like that of the row (`boundedMeanInterval`); at k = 1 it is the row's interval. Rates and both
 * bounds never rise with k. Refuses what `rowInterval` refuses, and `k-out-of-range` if some task was scored only once:
 * one try says nothing about two. Takes K times as long as a row's interval: 1 ms for 25 × 10.
 */
export function reliabilityCurve(
  tallies: readonly TaskCounts[],
  level: number = CONFIDENCE,
): StatisticResult<ReliabilityCurve> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const max = Math.min(...tasks.map(({ scored }) => scored))
  if (max < 2)
    return refuseStatistic('k-out-of-range', 'At least one task has only one scored repetition.')
  const points: ReliabilityPoint[] = []
  for (const k of chooseSteps(max)) {
    const point = k === 1 ? firstPoint(tasks, level) : pointAt(tasks, k, level)
    if (!point.ok) return point
    points.push(point.value)
  }
  const method =
    tasks.length === 1 ? CURVE_METHODS.oneTask : CURVE_METHODS.tasks(countOf(tasks.length, 'task'))
  return statisticValue({ points, method })
}

/** 1 … most, or `MAX_POINTS` steps from 1 to most. */
function chooseSteps(max: number): number[] {
  const steps = Math.min(max, MAX_POINTS)
  return Array.from({ length: steps }, (_, place) =>
    Math.round(1 + (place * (max - 1)) / (steps - 1)),
  )
}

function firstPoint(
  tasks: readonly TaskCounts[],
  level: number,
): StatisticResult<ReliabilityPoint> {
  const row = rowInterval(tasks, level)
  if (!row.ok) return row
  const { rate, low, high } = row.value
  return statisticValue({ k: 1, rate, low, high })
}

function pointAt(
  tasks: readonly TaskCounts[],
  k: number,
  level: number,
): StatisticResult<ReliabilityPoint> {
  const values: number[] = []
  for (const { scored, solved } of tasks) {
    const each = passK(scored, solved, k)
    if (!each.ok) return each
    values.push(each.value.passHatK)
  }
  const rate = toGrain(values.reduce((sum, value) => sum + value, 0) / values.length)
  const [only] = tasks
  if (only && tasks.length === 1) return oneTaskPoint(only, k, rate, level)
  const units = unitMeans(tasks, values)
  const { low, high } = boundedMeanInterval({ ...units, floor: 0, ceiling: 1 }, level)
  return statisticValue({ k, rate, low: Math.min(low, rate), high: Math.max(high, rate) })
}

/** The probability of k successes is that of one to the power of k, and so are its bounds. */
function oneTaskPoint(
  { solved, scored }: TaskCounts,
  k: number,
  rate: number,
  level: number,
): StatisticResult<ReliabilityPoint> {
  const bounds = wilsonInterval(solved, scored, level)
  if (!bounds.ok) return bounds
  const [low, high] = [toGrain(bounds.value.low ** k), toGrain(bounds.value.high ** k)]
  return statisticValue({ k, rate, low: Math.min(low, rate), high: Math.max(high, rate) })
}

/** pass@k: at least one of k attempts succeeds; pass^k: all of k attempts succeed. Probabilities, 0–1. */
export type PassK = { passAtK: number; passHatK: number }

const MAX_TRIES = 1e6

/**
 * Unbiased estimates from c successes in n attempts of one task: 1 - C(n-c,k)/C(n,k) and C(c,k)/C(n,k), by products
 * (Chen et al. 2021; Yao et al. 2024). Refuses k > n, k < 1, and invalid counts.
 */
export function passK(n: number, c: number, k: number): StatisticResult<PassK> {
  if ([n, c, k].some(Number.isNaN))
    return refuseStatistic('not-a-number', 'A count is not a number.')
  if (![n, c, k].every(Number.isSafeInteger) || c < 0 || c > n || n > MAX_TRIES) {
    return refuseStatistic(
      'count-out-of-range',
      `Invalid counts: ${countOf(c, 'success')} in ${countOf(n, 'attempt')}.`,
    )
  }
  if (k < 1) return refuseStatistic('k-out-of-range', 'k must be at least 1.')
  if (k > n)
    return refuseStatistic(
      'k-exceeds-n',
      `k = ${k} needs ${countOf(k, 'attempt')}, but there are ${n}.`,
    )
  return statisticValue({ passAtK: 1 - chooseRatio(n - c, n, k), passHatK: chooseRatio(c, n, k) })
}

/** Mean of `passK` over tasks with scored episodes. Refuses if any of them has fewer than k. */
export function meanPassK(
  tallies: readonly TaskCounts[],
  k: number,
): StatisticResult<PassK & { tasks: number }> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const sum = { passAtK: 0, passHatK: 0 }
  for (const { taskId, solved, scored } of found.value) {
    const each = passK(scored, solved, k)
    if (!each.ok)
      return refuseStatistic(each.refusal.code, `Task ${taskId}: ${each.refusal.reason}`)
    sum.passAtK += each.value.passAtK
    sum.passHatK += each.value.passHatK
  }
  const tasks = found.value.length
  return statisticValue({ passAtK: sum.passAtK / tasks, passHatK: sum.passHatK / tasks, tasks })
}

/** C(m,k) / C(n,k) for m ≤ n. */
function chooseRatio(m: number, n: number, k: number): number {
  if (k > m) return 0
  let ratio = 1
  for (let index = 0; index < k; index++) ratio *= (m - index) / (n - index)
  return ratio
}
