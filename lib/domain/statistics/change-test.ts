import type { Interval, PreparedTest } from './intervals.ts'
import { type JudgedTest, judgeTogether } from './judge-together.ts'
import { lookPrice, pairLooks } from './looks.ts'
import { COMPARISON_ALPHA, preparePair, type RowTaskCounts } from './paired-difference.ts'
import { FEW_TASKS, fewTasksNote, rowInterval } from './row-interval.ts'
import { type StatisticResult, statisticValue } from './statistic-result.ts'
import type { TaskCounts } from './task-counts.ts'

/** An earlier and a later measurement. `isPaired`: a task id names the same task in both. */
export type ChangePair = {
  before: Omit<RowTaskCounts, 'key'>
  after: Omit<RowTaskCounts, 'key'>
  isPaired: boolean
}

/** The change of a success rate, later minus earlier, in 0–1; `alpha` is the level of its own interval. */
export type ChangeTest = { difference: number; p: number; alpha: number; method: string } & Interval

/** Changes that were tested together; `pairAlpha` is the level of each one without interim analyses. */
export type JudgedChanges = {
  results: JudgedTest<ChangeTest>[]
  alpha: number
  pairAlpha: number
  tested: number
}

/**
 * Tests many changes: paired (sign-flip or McNemar) if the tasks are the same, else by the intervals of both rates
 * (`moverDifference`). All are corrected together by Holm, so the probability of even one false change is at most
 * alpha, among all of them and in any selection. A change is significant exactly when its interval excludes 0. Yields
 * after each pair, so that a server can handle other requests in between.
 */
export function* changeSteps(
  pairs: readonly ChangePair[],
  alpha = COMPARISON_ALPHA,
): Generator<undefined, JudgedChanges> {
  const prepared: StatisticResult<PreparedTest<ChangeTest>>[] = []
  for (const { before, after, isPaired } of pairs) {
    const prepare = isPaired ? preparePair : prepareUnpaired
    prepared.push(prepare(after.tallies, before.tallies))
    yield
  }
  const prices = pairs.map(({ before, after }) => lookPrice(pairLooks(before.looks, after.looks)))
  const judged = judgeTogether(prepared, prices, alpha)
  return { ...judged, alpha }
}

/** Tests all changes without yielding. */
export function testChanges(pairs: readonly ChangePair[], alpha = COMPARISON_ALPHA): JudgedChanges {
  const steps = changeSteps(pairs, alpha)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Method of the test for different tasks. */
const UNPAIRED_METHOD = 'unpaired, from the intervals of both rates (MOVER)'

/**
 * Prepares A − B of two rows with different tasks. Its p-value is the smallest level at which the interval excludes 0.
 */
function prepareUnpaired(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
): StatisticResult<PreparedTest<ChangeTest>> {
  const [left, right] = [rowInterval(a), rowInterval(b)]
  if (!left.ok) return left
  if (!right.ok) return right
  const fewest = Math.min(left.value.tasks, right.value.tasks)
  const intervalAt = (alpha: number) => moverDifference(rateAt(a, alpha), rateAt(b, alpha))
  const difference = left.value.rate - right.value.rate
  const p = difference === 0 ? 1 : invert(intervalAt)
  const facts = {
    difference,
    p,
    method: UNPAIRED_METHOD + (fewest < FEW_TASKS ? `; ${fewTasksNote(fewest)}` : ''),
  }
  const at = (alpha: number) => {
    const { low, high } = intervalAt(alpha)
    if (p <= alpha) return { ...facts, alpha, low, high }
    return { ...facts, alpha, low: Math.min(0, low), high: Math.max(0, high) }
  }
  return statisticValue({ p, at, similarAt: intervalAt })
}

type RatedInterval = Interval & { rate: number }

/** A row with an interval at the usual level has one at every level. */
function rateAt(tallies: readonly TaskCounts[], alpha: number): RatedInterval {
  const result = rowInterval(tallies, 1 - alpha)
  return result.ok ? result.value : { rate: 0, low: 0, high: 1 }
}

/**
 * Interval for the difference of two independent rates from an interval of each, at the same level: the method of
 * variance estimates recovery (Zou and Donner 2008), which with Wilson's intervals is Newcombe's (1998) tenth.
 */
export function moverDifference(a: RatedInterval, b: RatedInterval): Interval {
  const difference = a.rate - b.rate
  return {
    low: difference - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: difference + Math.hypot(a.high - a.rate, b.rate - b.low),
  }
}

/** Smaller levels are not distinguished. */
const MIN_P = 1e-9
/** Number of bisections of the level's logarithm: gives p with a relative error of 1e-4. */
const HALVINGS = 18

/**
 * Returns the smallest level, from above, at which an interval excludes 0; intervals of smaller levels contain those of
 * larger ones.
 */
function invert(intervalAt: (alpha: number) => Interval): number {
  const excludes = (alpha: number) => {
    const { low, high } = intervalAt(alpha)
    return low > 0 || high < 0
  }
  if (excludes(MIN_P)) return MIN_P
  let [includes, excluding] = [Math.log(MIN_P), 0]
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (includes + excluding) / 2
    if (excludes(Math.exp(middle))) excluding = middle
    else includes = middle
  }
  return Math.exp(excluding)
}
