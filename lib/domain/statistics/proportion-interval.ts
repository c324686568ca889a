import { type Answer, answered, refused } from './answer.ts'
import { betaQuantile } from './beta-quantile.ts'
import { normalQuantile } from './normal-quantile.ts'

/** Bounds of a proportion, 0–1. */
export type Interval = { low: number; high: number }

export const CONFIDENCE = 0.95

/** Beyond this the beta quantile loses digits and patience. */
const MOST_COUNT = 1e7

/** Wilson's score interval for `solved` of `scored`: for one task's repetitions. */
export function wilsonInterval(
  solved: number,
  scored: number,
  level: number = CONFIDENCE,
): Answer<Interval> {
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
  return answered({ low, high })
}

/** Clopper and Pearson's exact interval: never covers less than it says. `solved` may be fractional. */
export function clopperPearsonInterval(
  solved: number,
  scored: number,
  level: number = CONFIDENCE,
): Answer<Interval> {
  const problem = checkCounts(solved, scored)
  if (problem) return problem
  const tail = (1 - level) / 2
  const low = solved <= 0 ? 0 : betaQuantile(tail, solved, scored - solved + 1)
  const high = solved >= scored ? 1 : betaQuantile(1 - tail, solved + 1, scored - solved)
  return answered({ low, high })
}

function checkCounts(solved: number, scored: number): Answer<never> | null {
  if (!Number.isFinite(solved) || !Number.isFinite(scored)) {
    return refused('not-a-number', 'A count is not a finite number.')
  }
  if (scored <= 0) return refused('no-scored-episodes', 'No episode was scored.')
  if (solved < 0 || solved > scored || scored > MOST_COUNT) {
    return refused('count-out-of-range', `${solved} solved of ${scored} scored cannot be.`)
  }
  return null
}
