/** How `quantile` works, in words for pages. */
export const QUANTILE_METHOD =
  'quantile by linear interpolation between order statistics; no interval is given'

/** The p-quantile of a sample by linear interpolation (Hyndman and Fan type 7); null for an empty sample. */
export function quantile(sample: readonly number[], p: number): number | null {
  if (sample.length === 0) return null
  const sorted = Float64Array.from(sample).sort()
  const position = p * (sorted.length - 1)
  const below = sorted[Math.floor(position)] as number
  const above = sorted[Math.ceil(position)] as number
  return below + (above - below) * (position - Math.floor(position))
}

/** The smallest member with at least a share p of the sample at or below it; works with infinities. */
export function nearestRank(sample: readonly number[], p: number): number {
  const sorted = Float64Array.from(sample).sort()
  const position = Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1)
  return sorted[position] ?? Number.NaN
}
