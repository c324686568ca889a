import { familiesOf } from './families.ts'
import { SCORE_UNITS, type TaskCounts, taskScore } from './task-counts.ts'

/** The two-sided sign-flip test of two rows over their common tasks, 0–1 scale. */
export type SignFlip = {
  p: number
  /** 1 = a is ahead on the common tasks, -1 = b, 0 = neither. */
  lead: number
  /** Mean over the common tasks of a - b. */
  difference: number
  tasks: number
  /** Number of units that are flipped: the tasks, or their families. */
  units: number
  /** Number of units that differ. */
  differing: number
  /** Every task has one repetition on both sides: the test is McNemar's. */
  isSingle: boolean
  /** The part of the difference, 0 or more, that the test certifies at this level. */
  certified: (alpha: number) => number
}

/**
 * Two-sided paired sign-flip test of equal mean success: the share of all sign patterns of the task differences whose
 * sum is as far from 0 as the observed one. Every pattern is counted, on a grid of whole steps that depends only on the
 * numbers of repetitions and tasks, so names, order and side change nothing and one more success of A never raises the
 * p of A > B. Exact if the repetitions fit the grid; otherwise differences are rounded to it, symmetrically, which
 * keeps the level. If tasks have families (`familiesOf`), a family's tasks are flipped together. Rows are sorted by
 * task id and scored (`scoredTasks`). Without a common task p is 1.
 */
export function signFlip(a: readonly TaskCounts[], b: readonly TaskCounts[]): SignFlip {
  const common = findCommon(a, b)
  const { left, right, total, finest } = common
  const tasks = left.length
  const cap = Math.min(MAX_STEPS, Math.max(MIN_STEPS, Math.floor(MAX_WORK / tasks ** 2)))
  const steps = Math.min(finest, cap)
  const lead = Math.sign(total)
  const families = familiesOf(left)
  const place = (values: Float64Array) => (families ? sumFamilies(values, families) : values)
  const scale = (toStep: (task: number) => number) =>
    place(Float64Array.from({ length: tasks }, (_, task) => toStep(task)))
  const meanOf = ({ solved, scored }: TaskCounts, fineness: number) =>
    finest <= cap ? (solved * fineness) / scored : (solved / scored) * fineness
  const side = lead || 1
  const differenceAt = (task: number, fineness: number) =>
    side *
    (meanOf(left[task] as TaskCounts, fineness) - meanOf(right[task] as TaskCounts, fineness))
  const units = scale((task) => roundHalfAway(differenceAt(task, steps)))
  const fine = finest <= cap ? finest * Math.floor(cap / finest) : cap
  return {
    p: lead === 0 ? 1 : countPatterns(units),
    lead,
    difference: tasks === 0 ? 0 : total / (SCORE_UNITS * tasks),
    tasks,
    units: units.length,
    differing: units.reduce((count, unit) => count + (unit === 0 ? 0 : 1), 0),
    isSingle: finest === 1,
    certified: (alpha) =>
      lead === 0
        ? 0
        : largestRejected(alpha, (delta) =>
            countPatterns(
              scale((task) => Math.floor(roundNoise(differenceAt(task, fine)) - delta * fine)),
            ),
          ),
  }
}

/**
 * Additions for a pair whose rows differ as much as possible, and the bounds of the grid's steps for one whole task.
 */
const MAX_WORK = 4e6
const MAX_STEPS = 50_000
const MIN_STEPS = 64

/**
 * The common tasks, the exact sum of their differences, and the steps that make every mean an integer (at most
 * `MAX_STEPS` + 1).
 */
function findCommon(a: readonly TaskCounts[], b: readonly TaskCounts[]) {
  const [left, right]: [TaskCounts[], TaskCounts[]] = [[], []]
  let [one, other, total, finest] = [0, 0, 0, 1]
  while (one < a.length && other < b.length) {
    const [x, y] = [a[one] as TaskCounts, b[other] as TaskCounts]
    if (x.taskId === y.taskId) {
      left.push(x)
      right.push(y)
      total += taskScore(x) - taskScore(y)
      finest = commonSteps(commonSteps(finest, x.scored), y.scored)
      one++
      other++
    } else if (x.taskId < y.taskId) one++
    else other++
  }
  return { left, right, total, finest }
}

function commonSteps(steps: number, scored: number): number {
  if (steps % scored === 0 || steps > MAX_STEPS) return steps
  return Math.min(MAX_STEPS + 1, (steps / greatestCommonDivisor(steps, scored)) * scored)
}

/** Greatest common divisor of two integers of zero or more; 0 for 0 and 0. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [high, low] = [a, b]
  while (low > 0) [high, low] = [low, high % low]
  return high
}

/** Rounds symmetrically around zero. */
function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value))
}

/** Removes the noise of a division, which the following rounding down would turn into a step. */
function roundNoise(value: number): number {
  const whole = Math.round(value)
  return Math.abs(value - whole) < 1e-9 ? whole : value
}

function sumFamilies(values: Float64Array, { of, count }: { of: Uint32Array; count: number }) {
  const sums = new Float64Array(count)
  values.forEach((value, task) => {
    const place = of[task] as number
    sums[place] = (sums[place] as number) + value
  })
  return sums
}

/** Counts are scaled down after this many units, before they overflow a double. */
const UNITS_PER_SCALE = 500

/**
 * Two-sided p of integer differences whose sum should be positive; otherwise 1. A pattern is as extreme as the data if
 * the sizes that it flips add up to at most those of the opposite sign, so subsets are counted by their sum.
 */
export function countPatterns(units: Float64Array): number {
  let [sum, against] = [0, 0]
  const sorted = new Float64Array(units.length)
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as number
    sum += unit
    if (unit < 0) against -= unit
    sorted[index] = Math.abs(unit)
  }
  if (sum <= 0) return 1
  sorted.sort()
  const sizes = sorted.subarray(sorted.lastIndexOf(0) + 1)
  const divisor = commonDivisor(sizes)
  return countSubsets(
    sizes.map((size) => size / divisor),
    Math.floor(against / divisor),
  )
}

/** Twice the share of all subsets of these sizes, smallest first, that add up to at most `reach`. */
function countSubsets(sizes: Float64Array, reach: number): number {
  const ways = new Float64Array(reach + 1)
  ways[0] = 1
  let [filled, scale] = [0, 1 - sizes.length]
  for (let index = 0; index < sizes.length; index++) {
    const size = sizes[index] as number
    filled = Math.min(reach, filled + size)
    for (let at = filled; at >= size; at--)
      ways[at] = (ways[at] as number) + (ways[at - size] as number)
    if (index % UNITS_PER_SCALE === UNITS_PER_SCALE - 1) {
      for (let at = 0; at <= filled; at++) ways[at] = (ways[at] as number) * 2 ** -UNITS_PER_SCALE
      scale += UNITS_PER_SCALE
    }
  }
  let tail = 0
  for (let at = 0; at <= reach; at++) tail += ways[at] as number
  return Math.min(1, tail * 2 ** scale)
}

function commonDivisor(sizes: Float64Array): number {
  let divisor = 0
  for (let index = 0; index < sizes.length && divisor !== 1; index++)
    divisor = greatestCommonDivisor(divisor, sizes[index] as number)
  return divisor || 1
}

const HALVINGS = 20

/**
 * Returns the largest shift in 0–1, to a millionth, that is still rejected; p rises with the shift. Bisects fixed
 * ranges, so that a lower p never finds less.
 */
function largestRejected(alpha: number, pAt: (delta: number) => number): number {
  let [rejected, kept] = [0, 1]
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (rejected + kept) / 2
    if (pAt(middle) <= alpha) rejected = middle
    else kept = middle
  }
  return rejected
}
