import { betaQuantile, normalQuantile, tailQuantile } from './distributions.ts'
import type { SignFlip } from './sign-flip.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/** Bounds of a proportion, 0–1. */
export type Interval = { low: number; high: number }

export const CONFIDENCE = 0.95

/** Above this the beta quantile becomes inaccurate and slow. */
const MAX_COUNT = 1e7

/** Wilson score interval of `solved` out of `scored`, for the repetitions of one task. */
export function wilsonInterval(
  solved: number,
  scored: number,
  level: number = CONFIDENCE,
): StatisticResult<Interval> {
  const problem = checkCounts(solved, scored)
  if (problem) return problem
  const z = normalQuantile(0.5 + level / 2)
  const share = solved / scored
  const scale = 1 + (z * z) / scored
  const centre = (share + (z * z) / (2 * scored)) / scale
  const variance = (share * (1 - share)) / scored + (z * z) / (4 * scored * scored)
  const half = (z * Math.sqrt(variance)) / scale
  const low = solved === 0 ? 0 : Math.max(0, centre - half)
  const high = solved === scored ? 1 : Math.min(1, centre + half)
  return statisticValue({ low, high })
}

/** Clopper and Pearson's exact interval: coverage is never below the nominal level. `solved` may be fractional. */
export function clopperPearsonInterval(
  solved: number,
  scored: number,
  level: number = CONFIDENCE,
): StatisticResult<Interval> {
  const problem = checkCounts(solved, scored)
  if (problem) return problem
  const tail = (1 - level) / 2
  const low = solved <= 0 ? 0 : betaQuantile(tail, solved, scored - solved + 1)
  const high = solved >= scored ? 1 : betaQuantile(1 - tail, solved + 1, scored - solved)
  return statisticValue({ low, high })
}

function checkCounts(solved: number, scored: number): StatisticResult<never> | null {
  if (!Number.isFinite(solved) || !Number.isFinite(scored)) {
    return refuseStatistic('not-a-number', 'A count is not a finite number.')
  }
  if (scored <= 0) return refuseStatistic('no-scored-episodes', 'No scored episodes.')
  if (solved < 0 || solved > scored || scored > MAX_COUNT) {
    return refuseStatistic(
      'count-out-of-range',
      `Invalid counts: ${solved} solved of ${scored} scored.`,
    )
  }
  return null
}

/** Values of a bounded quantity, one per task or family, and the possible range for an unseen one. */
type BoundedSample = {
  values: readonly number[]
  floor: number
  ceiling: number
  /** Weights of the values in the mean; null or absent = equal weights. */
  weights?: readonly number[] | null
}

/** Bounds are rounded to this grid, so that floating-point noise never lowers a bound. */
const GRAINS = 1e12

/**
 * Interval for the mean of a bounded population from one value of each sampled task (Gaffke 2005; Learned-Miller and
 * Thomas 2019). The low end is the tail/2 quantile of the mean of the values **and one unseen task at the floor**, with
 * random weights uniform on the simplex; the high end mirrors it with a task at the ceiling. Three properties make it
 * the interval of a board:
 * - a bound is a weighted mean of the values, so raising a value can never lower it;
 * - nothing is estimated: 25 tasks that agree still leave 1 − tail^(1/25) of the population unseen;
 * - for values of 0 and 1 it is Clopper and Pearson's interval; for -1, 0 and 1 it excludes 0 exactly when McNemar
 *   does.
 *
 * Coverage of every population is proved for 0/1 values and conjectured beyond; `npm run simulate` tests it. With
 * weights it is the quantile of Σ w·e·v / Σ w·e with exponential e, where the unseen value has the weight of a random
 * task's family; equal weights give the same interval as none. `values` has at least one number, none outside floor …
 * ceiling. Takes some ten times T² steps: 0.1 ms for 25 tasks.
 */
export function boundedMeanInterval(
  { values, floor, ceiling, weights }: BoundedSample,
  level: number,
): Interval {
  const tail = (1 - level) / 2
  const lowestOf = (own: number[]) =>
    weights ? lowestWeighted(own, weights, tail) : lowest(own, tail)
  const low = floor + lowestOf(values.map((value) => value - floor))
  const high = ceiling - lowestOf(values.map((value) => ceiling - value))
  return { low: toGrain(low), high: toGrain(high) }
}

/** Rounded to the grid; rounding is monotonic. */
export function toGrain(value: number): number {
  return Math.round(value * GRAINS) / GRAINS
}

/** Returns the `tail` quantile of the randomly weighted mean of some values of zero or more and one more zero. */
function lowest(values: readonly number[], tail: number): number {
  const knots = Float64Array.from([0, ...values]).sort()
  const max = knots.at(-1) as number
  return max <= 0 ? 0 : tailQuantile((q) => weightedMeanChance(knots, q), tail, max)
}

/** The same for values of different weights: the weighted mean is at most q if Σ w·e·(v - q) is at most 0. */
function lowestWeighted(
  values: readonly number[],
  weights: readonly number[],
  tail: number,
): number {
  const max = Math.max(...values)
  if (max <= 0) return 0
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0)
  const unseen = squares / weights.reduce((sum, weight) => sum + weight, 0)
  const chance = (q: number) => {
    const terms = values.map((value, index) => (weights[index] as number) * (value - q))
    return weightedMeanChance(Float64Array.from([0 - unseen * q, ...terms]).sort(), 0)
  }
  return tailQuantile(chance, tail, max)
}

/**
 * Probability that a mean of the sorted knots with weights uniform on the simplex is at most q. Its density is a
 * B-spline (Curry and Schoenberg 1966), so the probability over knots i … j is a mixture of those over i+1 … j and i …
 * j-1, as in de Boor's recurrence: only sums of positive numbers.
 */
function weightedMeanChance(knots: Float64Array, q: number): number {
  let below = 0
  while (below < knots.length && (knots[below] as number) <= q) below++
  const above = knots.length - below
  if (above === 0) return 1
  const chances = new Float64Array(above)
  for (let left = below - 1; left >= 0; left--) {
    const from = knots[left] as number
    let chance = 1
    for (let right = 0; right < above; right++) {
      const to = knots[below + right] as number
      const weight = (to - q) / (to - from)
      chance = weight * (chances[right] as number) + (1 - weight) * chance
      chances[right] = chance
    }
  }
  return chances[above - 1] as number
}

/** Differences A − B of the units, each -1 … 1, with the result of the test. */
type TestedDifferences = {
  values: readonly number[]
  weights: readonly number[] | null
  test: Pick<SignFlip, 'p' | 'lead' | 'certified' | 'isSingle'>
}

/** Minimum distance from zero of a bound that excludes zero. */
const BESIDE_ZERO = 1e-9

/**
 * Interval of the mean difference over tasks like these, of the same kind as a row's: `boundedMeanInterval` on -1 … 1.
 */
export function similarDifference(
  { values, weights }: Pick<TestedDifferences, 'values' | 'weights'>,
  alpha: number,
): Interval {
  return boundedMeanInterval({ values, weights, floor: -1, ceiling: 1 }, 1 - alpha)
}

/**
 * Moves `similarDifference` to the side of zero given by the exact test, so that it contains zero exactly when p >
 * alpha: the interval of the verdict on these tasks. If the test finds a difference although one unseen task could
 * outweigh it, the bound near zero is what the test certifies, multiplied by the share of units, (alpha/2)^(1/T), that
 * must be like those seen. One more success of A never lowers a bound.
 */
export function boundedDifference(tested: TestedDifferences, alpha: number): Interval {
  const { values, test } = tested
  const { low, high } = similarDifference(tested, alpha)
  if (test.p > alpha) return { low: Math.min(0, low), high: Math.max(0, high) }
  // One repetition per task gives no shift to test.
  const certified = test.isSingle ? 0 : test.certified(alpha)
  const near = toGrain((alpha / 2) ** (1 / values.length) * certified)
  return test.lead > 0
    ? { low: Math.max(low, near, BESIDE_ZERO), high }
    : { low, high: Math.min(high, 0 - near, -BESIDE_ZERO) }
}

/** Result of a test of the mean difference of success on these tasks, A - B, -1 … 1. */
export type DifferenceTest = Interval & { difference: number; p: number; method: string }

/**
 * A prepared test, whose intervals can be computed at any level without repeating the costly part. `similarAt`: over
 * tasks like these, independent of the test.
 */
export type PreparedTest<Value = DifferenceTest> = {
  p: number
  at: (alpha: number) => Value
  similarAt: (alpha: number) => Interval
}
