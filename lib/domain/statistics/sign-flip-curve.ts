import { countOf } from '../record/index.ts'
import type { Interval, TestAt } from './intervals.ts'
import { boundedDifference } from './intervals.ts'
import { seededGenerator } from './seeded-generator.ts'
import {
  type DifferenceLattice,
  differenceLattice,
  type MeanPair,
  MOST_ENUMERATED_TASKS,
  MOST_LATTICE_TASKS,
  SIGN_FLIP_SEED,
} from './sign-flip.ts'
import type { TaskPair } from './task-counts.ts'

/** The two-sided p-value of "the mean difference is delta", for every delta: rises to 1 at the mean, then falls. */
type SignFlipCurve = {
  pAt: (delta: number) => number
  /** Null when every pattern was counted. */
  seed: number | null
  method: string
}

/**
 * Additions that one exact curve may cost when rows differ as much as they can; most cost a third, some 50 ms. What was
 * solved has no say, so that one more success never changes how it is counted.
 */
const MOST_WORK = 1.5e8
export const RANDOM_CURVE = { patterns: 99_999, seed: SIGN_FLIP_SEED }

/** How the test was made, in words. */
export const SIGN_FLIP_METHODS = {
  exact: 'exact sign-flip permutation',
  random: ({ patterns, seed }: typeof RANDOM_CURVE) =>
    `sign-flip permutation, ${countOf(patterns, 'random pattern')}, seed ${seed}`,
}

/**
 * p-values of the sign-flip test of d_i - delta. A pattern that flips the tasks F is as extreme as the data exactly
 * when the mean over F or over the others lies beyond delta (Hartigan 1969), so means over subsets are all one needs.
 * Exact by counting where the differences have a workable common step or for up to 20 tasks, else seeded Monte Carlo.
 */
export function signFlipCurve(pairs: readonly MeanPair[]): SignFlipCurve {
  const lattice: DifferenceLattice | null = differenceLattice(pairs)
  if (
    lattice &&
    pairs.length <= MOST_LATTICE_TASKS &&
    latticeCurveWork(pairs.length, lattice.finest) <= MOST_WORK
  ) {
    return { pAt: latticeCurve(lattice), seed: null, method: SIGN_FLIP_METHODS.exact }
  }
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  if (pairs.length <= MOST_ENUMERATED_TASKS) {
    return { pAt: enumeratedCurve(differences), seed: null, method: SIGN_FLIP_METHODS.exact }
  }
  const pAt = randomCurve(differences, RANDOM_CURVE)
  return { pAt, seed: RANDOM_CURVE.seed, method: SIGN_FLIP_METHODS.random(RANDOM_CURVE) }
}

/** The most additions that `latticeCurve` can need for so many tasks whose differences are whole in 1/`finest`. */
function latticeCurveWork(tasks: number, finest: number): number {
  return (tasks * tasks * (tasks * finest + 1)) / 2
}

/** Exact p-values of the sign-flip test for every delta, from the number of subsets of each size and sum. */
function latticeCurve({ units, step }: DifferenceLattice): (delta: number) => number {
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

const TIE = 1e-12

/**
 * Exact p-values of the sign-flip test for every delta from the means of all subsets, for up to 20 tasks whose
 * differences fit no common step. Takes 8 MB for 20 tasks.
 */
export function enumeratedCurve(differences: readonly number[]): (delta: number) => number {
  const patterns = 2 ** differences.length
  const means = subsetMeans(differences)
  const centre = means[patterns - 2] as number
  const sorted = means.sort()
  return (delta) => {
    if (Math.abs(delta - centre) <= TIE) return 1
    const beyond =
      delta < centre
        ? countAtMost(sorted, delta + TIE)
        : sorted.length - countAtMost(sorted, delta - TIE)
    return Math.min(1, (2 * (1 + beyond)) / patterns)
  }
}

/** Means of all non-empty subsets; position = bit set of members, less one. */
function subsetMeans(differences: readonly number[]): Float64Array {
  const patterns = 2 ** differences.length
  const sums = new Float64Array(patterns)
  const sizes = new Uint8Array(patterns)
  for (let set = 1; set < patterns; set++) {
    const rest = set & (set - 1)
    sums[set] = (sums[rest] as number) + (differences[31 - Math.clz32(set ^ rest)] as number)
    sizes[set] = (sizes[rest] as number) + 1
  }
  return sums.map((sum, set) => sum / (sizes[set] || 1)).subarray(1)
}

/** Members of a sorted array that are at most `limit`. */
function countAtMost(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Monte Carlo p-values of the sign-flip test for every delta, (b+1)/(m+1), all from the same m random patterns: so the
 * test and the interval that inverts it cannot disagree.
 */
export function randomCurve(
  differences: readonly number[],
  { patterns, seed }: { patterns: number; seed: number },
): (delta: number) => number {
  const centre = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const generator = seededGenerator(seed)
  const lower = new Float64Array(patterns)
  const upper = new Float64Array(patterns)
  for (let pattern = 0; pattern < patterns; pattern++) {
    const { inside, outside } = splitMeans(differences, generator.nextUint32)
    lower[pattern] = Math.min(inside, outside)
    upper[pattern] = Math.max(inside, outside)
  }
  lower.sort()
  upper.sort()
  return (delta) => {
    if (Math.abs(delta - centre) <= TIE) return 1
    const beyond =
      delta < centre ? countAtMost(lower, delta + TIE) : patterns - countAtMost(upper, delta - TIE)
    return (beyond + 1) / (patterns + 1)
  }
}

/** Means over a random half of the tasks and over the others; NaN-free: all or none flipped is always extreme. */
function splitMeans(differences: readonly number[], nextUint32: () => number) {
  let [sum, size, total, word] = [0, 0, 0, 0]
  for (let index = 0; index < differences.length; index++) {
    if (index % 32 === 0) word = nextUint32()
    const value = differences[index] as number
    total += value
    if ((word >>> (index % 32)) & 1) {
      sum += value
      size++
    }
  }
  if (size === 0 || size === differences.length) {
    return { inside: Number.NEGATIVE_INFINITY, outside: Number.POSITIVE_INFINITY }
  }
  return { inside: sum / size, outside: (total - sum) / (differences.length - size) }
}

/**
 * Sign-flip permutation test of the task differences with its interval: `boundedDifference`, which takes from the
 * inverted test on which side of zero it is.
 */
export function signFlipDifference(pairs: readonly TaskPair[]): TestAt {
  const differences = pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
  const difference = differences.reduce((sum, value) => sum + value, 0) / differences.length
  const { pAt, seed, method } = signFlipCurve(pairs)
  const p = pAt(0)
  const words = `${method} over ${countOf(pairs.length, 'task')}`
  return (alpha) => {
    const tested = () => invertTest(pAt, difference, alpha)
    const interval = boundedDifference({ differences, p, alpha, tested })
    return { difference, ...interval, p, method: words, seed }
  }
}

/**
 * The differences, -1 … 1, that a two-sided test does not reject at alpha. `pAt` rises to 1 at `centre` and falls after
 * it. Contains 0 exactly when pAt(0) > alpha: the interval and the verdict come from one test.
 */
function invertTest(pAt: (delta: number) => number, centre: number, alpha: number): Interval {
  const isKept = (delta: number) => pAt(delta) > alpha
  const mirrored = (delta: number) => isKept(-delta)
  // From zero, so that a bound at zero does not become minus zero.
  return { low: lowestKept(isKept, centre), high: 0 - lowestKept(mirrored, -centre) }
}

/** The smallest kept delta in [-1, centre]; `centre` itself is kept. Zero is checked separately. */
function lowestKept(isKept: (delta: number) => boolean, centre: number): number {
  if (isKept(-1)) return -1
  let [out, kept] = [-1, centre]
  if (centre > 0) {
    if (isKept(0)) kept = 0
    else out = 0
  }
  for (let step = 0; step < 200; step++) {
    const middle = (out + kept) / 2
    if (middle <= out || middle >= kept) break
    if (isKept(middle)) kept = middle
    else out = middle
  }
  return kept
}
