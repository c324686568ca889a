import { boundedMeanInterval, toGrain } from './bounded-mean.ts'
import type { Interval } from './proportion-interval.ts'

/** Task differences A − B, each -1 … 1, with the p-value of "equal" and, if asked for, the interval that inverts the test. */
type TestedDifferences = {
  differences: readonly number[]
  p: number
  alpha: number
  tested: () => Interval
}

/** As near to zero as a bound may come that excludes it. */
const BESIDE_ZERO = 1e-9

/**
 * Interval for the mean difference over tasks like these, of the same kind as a row's (`boundedMeanInterval` on -1 … 1),
 * on the side of zero where the exact test puts it: it holds zero exactly when p > alpha. Where the test finds a
 * difference although one unseen task could outweigh it, the bound near zero is the test's own, borne by the share of
 * tasks, (alpha/2)^(1/T), that must be like those seen. One more success of A never lowers a bound: the weighted
 * means, p and the test's own bounds all move one way.
 */
export function boundedDifference({ differences, p, alpha, tested }: TestedDifferences): Interval {
  const { low, high } = boundedMeanInterval(
    { values: differences, floor: -1, ceiling: 1 },
    1 - alpha,
  )
  if (p > alpha) return { low: Math.min(0, low), high: Math.max(0, high) }
  const seen = (alpha / 2) ** (1 / differences.length)
  const sum = differences.reduce((total, value) => total + value, 0)
  if (sum > 0) {
    const near = low > BESIDE_ZERO ? low : 0
    return { low: Math.max(near, toGrain(seen * tested().low), BESIDE_ZERO), high }
  }
  const near = high < -BESIDE_ZERO ? high : 0
  return { low, high: Math.min(near, toGrain(seen * tested().high), -BESIDE_ZERO) }
}
