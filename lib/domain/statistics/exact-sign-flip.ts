/** More tasks than this and the pattern counts no longer fit a double. */
export const MOST_LATTICE_TASKS = 1000

/** Additions that `exactSignFlip` will need for these differences; infinite where it cannot be used. */
export function exactSignFlipWork(units: readonly number[]): number {
  if (units.length > MOST_LATTICE_TASKS) return Number.POSITIVE_INFINITY
  const { sizes, reach } = describe(units)
  return sizes.length * (reach + 1)
}

/**
 * Exact two-sided sign-flip permutation p of Σd_i: the share of all 2^T sign patterns with |Σ±d_i| ≥ |Σd_i|.
 * Counts every pattern at once by adding up subset sums, because the differences are whole `units`.
 */
export function exactSignFlip(units: readonly number[]): number {
  const { sizes, observed, reach } = describe(units)
  if (observed === 0) return 1
  const ways = new Float64Array(reach + 1)
  ways[0] = 1
  let filled = 0
  for (const size of sizes) {
    filled = Math.min(reach, filled + size)
    for (let sum = filled; sum >= size; sum--) {
      ways[sum] = (ways[sum] as number) + (ways[sum - size] as number)
    }
  }
  let tail = 0
  for (let sum = 0; sum <= reach; sum++) tail += ways[sum] as number
  return Math.min(1, tail * 2 ** (1 - sizes.length))
}

/** A pattern is as extreme as the data when the sizes it flips add up to at most `reach`. */
function describe(units: readonly number[]) {
  const sizes = units
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort((a, b) => a - b)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const observed = Math.abs(units.reduce((sum, unit) => sum + unit, 0))
  return { sizes, observed, reach: (total - observed) / 2 }
}
