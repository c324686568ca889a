import { countOf } from '../text/index.ts'
import { unitMeans } from './families.ts'
import {
  boundedDifference,
  type DifferenceTest,
  type Interval,
  type PreparedTest,
  similarDifference,
} from './intervals.ts'
import { type JudgedTest, judgeTogether } from './judge-together.ts'
import { type Looks, lookPrice, pairLooks } from './looks.ts'
import { testRows } from './pair-p-values.ts'
import { type SignFlip, signFlip } from './sign-flip.ts'
import { type StatisticResult, statisticValue } from './statistic-result.ts'
import { pairTasks, type TaskCounts, type TaskPair } from './task-counts.ts'
import { type ReadRow, readRow } from './void-readings.ts'

/** Two rows compared over their common tasks. */
export type PairedDifference = DifferenceTest & {
  alpha: number
  verdict: CompareVerdict
  /** Always null: every sign pattern is counted. */
  seed: null
  tasks: { taskId: string; a: number; b: number }[]
  /** Tasks that one row solves in most attempts and the other does not; `solvedBy` names the former. */
  flipped: { taskId: string; solvedBy: 'a' | 'b' }[]
}

/** Two-sided level of a comparison. */
export const COMPARISON_ALPHA = 0.05

/**
 * Paired difference of two rows over their common tasks: the sign-flip permutation test of the task differences,
 * McNemar's with one repetition per task. The interval (`boundedDifference`) contains 0 exactly when the verdict on
 * these tasks is neither better nor worse, and one more success of A never lowers a bound. Void attempts are counted
 * against the verdict and all bounds. Refuses rows without a scored or a common task.
 */
export function pairedDifference(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
  alpha = COMPARISON_ALPHA,
): StatisticResult<PairedDifference> {
  const prepared = preparePair(a, b)
  return prepared.ok ? statisticValue(prepared.value.at(alpha)) : prepared
}

/** The same, prepared for several levels: with many pairs the level is known only after all were tested. */
export function preparePair(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
): StatisticResult<PreparedTest<PairedDifference>> {
  const found = pairTasks(a, b)
  if (!found.ok) return found
  const [left, right] = [readRow(a), readRow(b)]
  if (!left.ok) return left
  if (!right.ok) return right
  const { p, at, similarAt } = testBoth(left.value, right.value)
  const tasks = found.value.map(taskMeans)
  const flipped = tasks.flatMap(flip)
  const describe = (alpha: number) => {
    const test = at(alpha)
    return { ...test, alpha, verdict: compareVerdict(test, alpha), tasks, flipped, seed: null }
  }
  return statisticValue({ p, at: describe, similarAt })
}

/**
 * The test of boards (`testRows`) with its intervals. Void attempts are counted against each bound as well: whatever
 * their outcomes might have been, the verdict stays and the intervals contain theirs.
 */
function testBoth(a: ReadRow, b: ReadRow): PreparedTest {
  const plain = differenceOf(a.excluded, b.excluded)
  if (a.excluded === a.allFailed && b.excluded === b.allFailed) return plain
  const { p } = testRows(a, b)
  const lowest = differenceOf(a.allFailed, b.allSolved)
  const highest = differenceOf(a.allSolved, b.allFailed)
  const widen = (...all: [Interval, Interval, Interval]) => ({
    low: Math.min(...all.map(({ low }) => low)),
    high: Math.max(...all.map(({ high }) => high)),
  })
  return {
    p,
    at: (alpha) => {
      const test = plain.at(alpha)
      const method = `${test.method}; excluded attempts read against the verdict`
      return { ...test, ...widen(test, lowest.at(alpha), highest.at(alpha)), p, method }
    },
    similarAt: (alpha) =>
      widen(plain.similarAt(alpha), lowest.similarAt(alpha), highest.similarAt(alpha)),
  }
}

/** `signFlip` of two rows of scored, sorted tasks, with its intervals. */
function differenceOf(a: readonly TaskCounts[], b: readonly TaskCounts[]): PreparedTest {
  const test = signFlip(a, b)
  const { p, difference } = test
  const others = new Map(b.map((task) => [task.taskId, task]))
  const common = a.flatMap((task) => {
    const other = others.get(task.taskId)
    return other ? [{ task, value: task.solved / task.scored - other.solved / other.scored }] : []
  })
  const units = unitMeans(
    common.map(({ task }) => task),
    common.map(({ value }) => value),
  )
  const method = methodOf(test, units.unit)
  return {
    p,
    at: (alpha) => ({ difference, ...boundedDifference({ ...units, test }, alpha), p, method }),
    similarAt: (alpha) => similarDifference(units, alpha),
  }
}

/** Name of the test's method. */
export const SIGN_FLIP_METHOD = 'exact sign-flip permutation'

function methodOf(
  { isSingle, differing, tasks, units }: SignFlip,
  unit: 'task' | 'family',
): string {
  if (unit === 'family')
    return `${SIGN_FLIP_METHOD} over ${countOf(units, 'family')} of ${countOf(tasks, 'task')}`
  const counted = countOf(tasks, 'task')
  return isSingle ? mcNemarMethod(differing, counted) : `${SIGN_FLIP_METHOD} over ${counted}`
}

function taskMeans({ taskId, a, b }: TaskPair) {
  return { taskId, a: a.solved / a.scored, b: b.solved / b.scored }
}

function flip({ taskId, a, b }: { taskId: string; a: number; b: number }) {
  if (a > 0.5 === b > 0.5) return []
  return [{ taskId, solvedBy: a > b ? ('a' as const) : ('b' as const) }]
}

/** A pair of compared rows; `adjustedP` is corrected for all shown pairs and their interim analyses. */
export type ComparedPair = { a: string; b: string; result: JudgedTest<PairedDifference> }

/** One row: its key, its counts, and its interim analyses, if any. */
export type RowTaskCounts = {
  key: string
  tallies: readonly TaskCounts[]
  looks?: Looks | undefined
}

/** All pairs of some rows. `pairAlpha` is the level of each pair's verdict and interval. */
export type RowComparison = {
  pairs: ComparedPair[]
  alpha: number
  pairAlpha: number
  tested: number
}

/**
 * Compares every pair of rows; the probability of even one false "better" or "worse" among them is at most alpha (Holm,
 * strong family-wise error). With R of m pairs rejected, the level of the last rejection was alpha / (m - R + 1), or
 * alpha / m without rejections: each pair is judged and its interval computed at that level, so that verdict, interval
 * and adjusted p agree. The p-value and level of a pair with interim analyses are corrected (`lookPrice`). Rows are
 * sorted by their keys.
 */
export function compareRows(
  rows: readonly RowTaskCounts[],
  alpha = COMPARISON_ALPHA,
): RowComparison {
  const steps = compareSteps(rows, alpha)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * The same, yielding after each pair, so that a server can handle other requests in between. With a `baseline`, only
 * pairs with the row of that key are compared, as `b`; the correction for fewer pairs is smaller.
 */
export function* compareSteps(
  rows: readonly RowTaskCounts[],
  alpha = COMPARISON_ALPHA,
  baseline?: string,
): Generator<undefined, RowComparison> {
  return yield* testPairs(listPairs(rows, baseline), alpha)
}

/** The same for these pairs alone, each once; other pairs are not corrected for. */
export function comparePairs(
  pairs: readonly (readonly [RowTaskCounts, RowTaskCounts])[],
  alpha = COMPARISON_ALPHA,
): RowComparison {
  const steps = testPairs(
    pairs.map(([x, y]) => (x.key < y.key ? { a: x, b: y } : { a: y, b: x })),
    alpha,
  )
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

function* testPairs(
  pairs: readonly { a: RowTaskCounts; b: RowTaskCounts }[],
  alpha: number,
): Generator<undefined, RowComparison> {
  const prepared: ReturnType<typeof preparePair>[] = []
  for (const { a, b } of pairs) {
    prepared.push(preparePair(a.tallies, b.tallies))
    yield
  }
  const prices = pairs.map(({ a, b }) => lookPrice(pairLooks(a.looks, b.looks)))
  const { results, pairAlpha, tested } = judgeTogether(prepared, prices, alpha)
  const compared = pairs.map(({ a, b }, index) => ({
    a: a.key,
    b: b.key,
    result: results[index] as ComparedPair['result'],
  }))
  return { pairs: compared, alpha, pairAlpha, tested }
}

function listPairs(rows: readonly RowTaskCounts[], baseline: string | undefined) {
  const sorted = [...rows].sort((x, y) => (x.key < y.key ? -1 : 1))
  if (baseline === undefined)
    return sorted.flatMap((a, index) => sorted.slice(index + 1).map((b) => ({ a, b })))
  const b = sorted.find(({ key }) => key === baseline)
  return b ? sorted.filter((a) => a !== b).map((a) => ({ a, b })) : []
}

/** The verdict about rows A and B, one of four. `bound` is in 0–1 and present only if the verdict names one. */
export type CompareVerdict = {
  kind: 'better' | 'worse' | 'no-larger-than' | 'cannot-tell'
  text: string
  bound: number | null
}

/** The largest difference in success rate that counts as small: a tenth. */
export const SMALL_DIFFERENCE = 0.1

type TestedDifference = { difference: number; low: number; high: number; p: number }

/**
 * Returns the verdict of a tested difference. Significant: better or worse. Else, if the whole interval is small: no
 * difference larger than its far end, in whole percentage points rounded up. Else: no significant difference.
 */
export function compareVerdict(
  { difference, low, high, p }: TestedDifference,
  alpha: number,
): CompareVerdict {
  if (p <= alpha) {
    const kind = difference > 0 ? 'better' : 'worse'
    return { kind, text: kind, bound: null }
  }
  const bound = Math.max(Math.abs(low), Math.abs(high))
  if (bound > SMALL_DIFFERENCE)
    return { kind: 'cannot-tell', text: 'no significant difference', bound: null }
  const points = Math.max(1, Math.ceil(100 * bound - 1e-9))
  const text = `no difference larger than ${countOf(points, 'point')}`
  return { kind: 'no-larger-than', text, bound }
}

/** Describes the test; a general description has letters for the numbers. */
export function mcNemarMethod(discordant: number | string, tasks: string): string {
  return `exact McNemar on ${discordant} discordant of ${tasks}`
}
