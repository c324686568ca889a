import type { Interval } from './proportion-interval.ts'
import { tailQuantile } from './tail-quantile.ts'

/** Values of a bounded quantity, one a task, and the range that an unseen task may take. */
export type BoundedSample = { values: readonly number[]; floor: number; ceiling: number }

/** Bounds are kept to one part in so many, so that the noise of adding doubles never shows as a step down. */
const GRAINS = 1e12

/**
 * Interval for the mean of a bounded population from one value of each sampled task (Gaffke 2005; Learned-Miller and
 * Thomas 2019). The low end is the tail/2 quantile of the mean of the values **and one unseen task at the floor**, all
 * weights being equally likely (uniform on the simplex); the high end mirrors it with a task at the ceiling. Three facts
 * make it the interval of a board:
 * - a bound is a weighted mean of the values, so raising a value can never lower it;
 * - nothing is estimated: 25 tasks that agree still leave 1 − tail^(1/25) of the population unseen;
 * - for values of 0 and 1 it is Clopper and Pearson's interval, for -1, 0 and 1 it excludes 0 exactly when McNemar does.
 * That it covers every population is proved for 0/1 values and conjectured beyond; `npm run simulate` tries it.
 * `values` holds at least one number, none outside floor … ceiling. Takes some ten times T² steps: 0.1 ms for 25 tasks.
 */
export function boundedMeanInterval(
  { values, floor, ceiling }: BoundedSample,
  level: number,
): Interval {
  const tail = (1 - level) / 2
  const mirrored = values.map((value) => ceiling - value)
  const low =
    floor +
    lowest(
      values.map((value) => value - floor),
      tail,
    )
  const high = ceiling - lowest(mirrored, tail)
  return { low: toGrain(low), high: toGrain(high) }
}

/** Rounded to the grain: still rises when the number rises. */
export function toGrain(value: number): number {
  return Math.round(value * GRAINS) / GRAINS
}

/** The `tail` quantile of the randomly weighted mean of some values of zero or more and one more zero. */
function lowest(values: readonly number[], tail: number): number {
  const knots = Float64Array.from([0, ...values]).sort()
  const most = knots.at(-1) as number
  return most <= 0 ? 0 : tailQuantile((q) => weightedMeanChance(knots, q), tail, most)
}

/**
 * Chance that a mean of the sorted knots with weights uniform on the simplex is at most q. Its density is a B-spline
 * (Curry and Schoenberg 1966), so the chance over knots i … j is a mixture of those over i+1 … j and i … j-1, as in de
 * Boor's recurrence: only sums of positive numbers.
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
