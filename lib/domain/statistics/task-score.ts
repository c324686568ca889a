/** Least common multiple of 1 … 25: means of up to 25 repetitions (and 26, 28, 30, 40, 50, 100 …) are whole in it. */
export const SCORE_UNITS = 26_771_144_400

/**
 * A task's mean success in whole SCORE_UNITS, so that sums over tasks are exact and equal rates are equal numbers.
 * Rounded, by at most 2e-11, for repetitions that do not divide the unit.
 */
export function taskScore({ solved, scored }: { solved: number; scored: number }): number {
  return Math.round((solved * SCORE_UNITS) / scored)
}
