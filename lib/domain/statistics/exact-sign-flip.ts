/** More tasks than this and the pattern counts no longer fit a double. */
export const MOST_LATTICE_TASKS = 1000

/**
 * Exact two-sided sign-flip permutation p of Σd_i: the share of all 2^T sign patterns with |Σ±d_i| ≥ |Σd_i|.
 * Counts every pattern at once by adding up subset sums, because the differences are whole `units`. Null when that
 * would take more than `mostWork` additions, or tasks beyond a thousand.
 */
export function exactSignFlip(
  units: ArrayLike<number>,
  mostWork = Number.POSITIVE_INFINITY,
): number | null {
  const { sizes, observed, reach } = describe(units)
  if (observed === 0) return 1
  if (sizes.length > MOST_LATTICE_TASKS || sizes.length * (reach + 1) > mostWork) return null
  const ways = new Float64Array(reach + 1)
  ways[0] = 1
  let filled = 0
  for (let index = 0; index < sizes.length; index++) {
    const size = sizes[index] as number
    filled = Math.min(reach, filled + size)
    for (let sum = filled; sum >= size; sum--) {
      ways[sum] = (ways[sum] as number) + (ways[sum - size] as number)
    }
  }
  let tail = 0
  for (let sum = 0; sum <= reach; sum++) tail += ways[sum] as number
  return Math.min(1, tail * 2 ** (1 - sizes.length))
}

/**
 * The sizes of the differences, smallest first. A pattern is as extreme as the data when the sizes it flips add up to
 * at most `reach`.
 */
function describe(units: ArrayLike<number>) {
  const sorted = new Float64Array(units.length)
  let [sum, total] = [0, 0]
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as number
    sum += unit
    total += Math.abs(unit)
    sorted[index] = Math.abs(unit)
  }
  sorted.sort()
  const sizes = sorted.subarray(sorted.lastIndexOf(0) + 1)
  const observed = Math.abs(sum)
  return { sizes, observed, reach: (total - observed) / 2 }
}
