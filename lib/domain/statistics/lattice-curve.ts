import type { DifferenceLattice } from './difference-lattice.ts'

/** The most additions that `latticeCurve` can need for so many tasks whose differences are whole in 1/`finest`. */
export function latticeCurveWork(tasks: number, finest: number): number {
  return (tasks * tasks * (tasks * finest + 1)) / 2
}

/** Exact p-values of the sign-flip test for every delta, from the number of subsets of each size and sum. */
export function latticeCurve({ units, step }: DifferenceLattice): (delta: number) => number {
  const tasks = units.length
  const total = units.reduce((sum, unit) => sum + unit, 0)
  const table = subsetTable(units)
  return (delta) => {
    const mean = delta / step
    const offset = mean * tasks - total
    if (offset === 0) return 1
    const beyond = offset < 0 ? table.atMost(mean) : table.atLeast(mean)
    return Math.min(1, (1 + beyond) * 2 ** (1 - tasks))
  }
}

/** How many non-empty subsets of the units have a mean of at most, or at least, some value. */
function subsetTable(units: readonly number[]) {
  const tasks = units.length
  const below = -units.reduce((sum, unit) => sum + Math.min(0, unit), 0)
  const above = units.reduce((sum, unit) => sum + Math.max(0, unit), 0)
  const width = below + above + 1
  const sums = cumulate(countSubsets(units, below, width), width)
  const count = (size: number, upTo: number) => {
    const column = Math.min(width - 1, upTo + below)
    return column < 0 ? 0 : (sums[size * width + column] as number)
  }
  const sizes = Array.from({ length: tasks }, (_, index) => index + 1)
  return {
    atMost: (mean: number) =>
      sizes.reduce((sum, size) => sum + count(size, Math.floor(mean * size)), 0),
    atLeast: (mean: number) =>
      sizes.reduce((sum, size) => {
        return sum + count(size, above) - count(size, Math.ceil(mean * size) - 1)
      }, 0),
  }
}

/** (size, sum) → number of subsets, rows by size; sums are shifted by `below` so that none is negative. */
function countSubsets(units: readonly number[], below: number, width: number): Float64Array {
  const counts = new Float64Array((units.length + 1) * width)
  counts[below] = 1
  units.forEach((unit, taken) => {
    const [from, to] = unit >= 0 ? [0, width - unit] : [-unit, width]
    for (let size = taken; size >= 0; size--) {
      const source = size * width
      const target = source + width + unit
      for (let sum = from; sum < to; sum++) {
        const ways = counts[source + sum] as number
        if (ways > 0) counts[target + sum] = (counts[target + sum] as number) + ways
      }
    }
  })
  return counts
}

/** Running sums along every row, in place. */
function cumulate(counts: Float64Array, width: number): Float64Array {
  for (let cell = 1; cell < counts.length; cell++) {
    if (cell % width > 0) counts[cell] = (counts[cell] as number) + (counts[cell - 1] as number)
  }
  return counts
}
