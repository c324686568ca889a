import { seededGenerator } from './seeded-generator.ts'

export const SIGN_FLIP_SEED = 20_261_121
/** The random patterns of a pair that has too many to enumerate. */
export const RANKING_PATTERNS = { patterns: 9_999, seed: SIGN_FLIP_SEED }
/** Additions that one exact test may cost; about a tenth of a millisecond. */
export const MOST_EXACT_WORK = 2 ** 17

/** A permutation p-value and its method; `seed` is null when every pattern was counted. */
type SignFlipResult = { p: number; seed: number | null }

/**
 * Two-sided paired sign-flip test of equal mean task success, without its interval: for ranking many pairs.
 * Exact whenever the differences have a workable common step or at most 20 tasks differ; else seeded Monte Carlo.
 * Callers that test many pairs pass one set of `signs` (see `rankingSigns`), so that it is drawn once.
 */
export function signFlipTest(
  pairs: readonly MeanPair[],
  signs: SignPatterns = rankingSigns(),
): SignFlipResult {
  const counted = countedSignFlip(pairs)
  if (counted !== null) return { p: counted, seed: null }
  return { p: randomSignFlip(differencesOf(pairs), signs), seed: signs.seed }
}

/** The exact p of `signFlipTest`; null where it draws random patterns. */
export function countedSignFlip(pairs: readonly MeanPair[]): number | null {
  const lattice: DifferenceLattice | null = differenceLattice(pairs)
  const exact = lattice && exactSignFlip(lattice.units, MOST_EXACT_WORK)
  if (exact !== null) return exact
  const differences = differencesOf(pairs)
  const differing = differences.filter((value) => value !== 0).length
  return differing <= MOST_ENUMERATED_TASKS ? enumeratedSignFlip(differences) : null
}

/** Of the task means, in the order of the tasks. */
export function differencesOf(pairs: readonly MeanPair[]): number[] {
  return pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)
}

/** The random patterns of `signFlipTest`; drawn only when they are needed. */
export function rankingSigns(): SignPatterns {
  return signPatterns(RANKING_PATTERNS.patterns, RANKING_PATTERNS.seed)
}

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
  return countExactly(describe(units), mostWork)
}

function countExactly({ sizes, observed, reach }: Flips, mostWork: number): number | null {
  if (observed === 0) return 1
  if (sizes.length > MOST_LATTICE_TASKS || sizes.length * (reach + 1) > mostWork) return null
  return countSubsets(sizes, reach)
}

/** Steps of the grid on which a bound is counted. */
const COARSE_GRID = 512

/**
 * The exact p where that takes at most `mostWork` additions, else a lower bound of it at a fraction of the cost: sizes are
 * rounded up and what a pattern may flip is rounded down, so that no pattern is counted that is less extreme than the data.
 */
export function boundSignFlip(
  units: ArrayLike<number>,
  mostWork: number,
): { p: number; isExact: boolean } {
  const flips = describe(units)
  const exact = countExactly(flips, mostWork)
  if (exact !== null) return { p: exact, isExact: true }
  const { sizes, observed, reach } = flips
  if (sizes.length > MOST_LATTICE_TASKS) return { p: 0, isExact: false }
  const fineness = COARSE_GRID / (observed + 2 * reach)
  const raised = sizes.map((size) => Math.ceil(size * fineness))
  return { p: countSubsets(raised, Math.floor(reach * fineness)), isExact: false }
}

/** Twice the share of all subsets of these sizes that add up to at most `reach`. */
function countSubsets(sizes: Float64Array, reach: number): number {
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

type Flips = { sizes: Float64Array; observed: number; reach: number }

/**
 * The sizes of the differences, smallest first. A pattern is as extreme as the data when the sizes it flips add up to
 * at most `reach`.
 */
function describe(units: ArrayLike<number>): Flips {
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

/** Up to this many differing tasks all patterns (at most 2^20) are enumerated. */
export const MOST_ENUMERATED_TASKS = 20

const TIE = 1e-11

/**
 * Exact two-sided sign-flip p of Σd_i over all 2^n patterns, walked in Gray-code order: one sign changes a step.
 * The first sign stays, by symmetry. At most 20 non-zero differences; for those that fit no common step.
 */
export function enumeratedSignFlip(differences: readonly number[]): number {
  const values = differences.filter((value) => value !== 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  if (observed <= TIE) return 1
  const signs = values.map(() => 1)
  let sum = values.reduce((total, value) => total + value, 0)
  const patterns = 2 ** (values.length - 1)
  let extreme = 1
  for (let step = 1; step < patterns; step++) {
    const flip = 1 + trailingZeros(step)
    sum -= 2 * (signs[flip] as number) * (values[flip] as number)
    signs[flip] = -(signs[flip] as number)
    if (Math.abs(sum) >= observed - TIE) extreme++
  }
  return extreme / patterns
}

function trailingZeros(step: number): number {
  return 31 - Math.clz32(step & -step)
}

/** Random signs of m patterns: for each block of eight tasks one byte per pattern, cached. */
export type SignPatterns = { patterns: number; seed: number; block: (index: number) => Uint8Array }

/** Draws sign patterns from a seed, lazily: signs belong to the task's position, whatever the other tasks are. */
export function signPatterns(patterns: number, seed: number): SignPatterns {
  const blocks: Uint8Array[] = []
  const block = (index: number) => {
    const known = blocks[index]
    if (known) return known
    const generator = seededGenerator(seed + index)
    const words = Uint32Array.from({ length: Math.ceil(patterns / 4) }, generator.nextUint32)
    const bytes = new Uint8Array(patterns)
    bytes.forEach((_, pattern) => {
      bytes[pattern] = ((words[pattern >> 2] as number) >>> (8 * (pattern & 3))) & 255
    })
    blocks[index] = bytes
    return bytes
  }
  return { patterns, seed, block }
}

/**
 * Monte Carlo two-sided sign-flip p of Σd_i: (b+1)/(m+1) with m random patterns. Eight signs at a time are looked up in
 * a table of their 256 sums.
 */
export function randomSignFlip(differences: readonly number[], signs: SignPatterns): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  if (observed <= TIE) return 1
  const { patterns } = signs
  const sums = new Float64Array(patterns)
  for (let from = 0; from < differences.length; from += 8) {
    const table = signedSums(differences.slice(from, from + 8))
    const bytes = signs.block(from / 8)
    for (let pattern = 0; pattern < patterns; pattern++) {
      sums[pattern] = (sums[pattern] as number) + (table[bytes[pattern] as number] as number)
    }
  }
  let extreme = 0
  for (let pattern = 0; pattern < patterns; pattern++) {
    if (Math.abs(sums[pattern] as number) >= observed - TIE) extreme++
  }
  return (extreme + 1) / (patterns + 1)
}

/** The sum of up to eight values under each of the 256 sign patterns; a set bit flips. */
function signedSums(values: readonly number[]): Float64Array {
  const table = new Float64Array(256)
  let sum = 0
  for (const value of values) sum += value
  table[0] = sum
  for (let signs = 1; signs < 256; signs++) {
    const bit = 31 - Math.clz32(signs & -signs)
    table[signs] = (table[signs & (signs - 1)] as number) - 2 * (values[bit] ?? 0)
  }
  return table
}

/** Task means as counts: `solved` of `scored`. */
export type MeanPair = {
  a: { solved: number; scored: number }
  b: { solved: number; scored: number }
}

/** Task differences as whole multiples of one step, so that sums and ties are exact. */
export type DifferenceLattice = {
  /** d_i / step, whole numbers, in the order given. */
  units: number[]
  /** Size of one unit on the scale of rates. */
  step: number
  /** Common denominator of the task means, before anything is reduced. */
  finest: number
}

const FINEST = 1e7

/**
 * Writes the differences of task means a_i - b_i over their common denominator, reduced as far as it goes.
 * Null when the repetitions are so uneven that the common denominator is beyond ten million.
 */
export function differenceLattice(pairs: readonly MeanPair[]): DifferenceLattice | null {
  let denominator = 1
  for (const { a, b } of pairs) {
    denominator = leastCommonMultiple(leastCommonMultiple(denominator, a.scored), b.scored)
    if (denominator > FINEST) return null
  }
  const units = pairs.map(
    ({ a, b }) => (a.solved * denominator) / a.scored - (b.solved * denominator) / b.scored,
  )
  const divisor =
    units.reduce((value, unit) => greatestCommonDivisor(value, Math.abs(unit)), 0) || 1
  return {
    units: units.map((unit) => unit / divisor),
    step: divisor / denominator,
    finest: denominator,
  }
}

function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b
}

/** Of two whole numbers of zero or more; 0 of 0 and 0. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [high, low] = [a, b]
  while (low > 0) [high, low] = [low, high % low]
  return high
}
