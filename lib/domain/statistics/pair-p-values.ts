import type { SignPatterns } from './sign-flip.ts'
import {
  boundSignFlip,
  countedSignFlip,
  differencesOf,
  exactSignFlip,
  greatestCommonDivisor,
  MOST_EXACT_WORK,
  randomSignFlip,
  rankingSigns,
} from './sign-flip.ts'
import { mergeTasks, type TaskCounts, taskIdsOf, taskScore, taskScores } from './task-counts.ts'
import { type PairTest, type ReadRow, robustP, type VoidReading } from './void-readings.ts'

/** Position of the pair of rows a < b in `pairPValues`. */
export function pairIndex(a: number, b: number): number {
  return (b * (b - 1)) / 2 + a
}

/** All pairs by `pairIndex`: p-values, and who leads on the common tasks (1 = a, -1 = b, 0 = neither). */
type PairVerdicts = { p: Float64Array; leads: Int8Array }

/** What was found about pairs the last time, so that of a board only the pairs with a row that changed are tested again. */
export class PairMemory {
  #signs = ''
  #places = new Map<string, number>()
  #verdicts: PairVerdicts = { p: new Float64Array(), leads: new Int8Array() }
  readonly #names = new WeakMap<ReadRow, string>()

  /** A row's name in `recall` and `keep`: rows of equal names have the same p-values. */
  nameRow(row: ReadRow): string {
    const name = this.#names.get(row) ?? nameReadings(row)
    this.#names.set(row, name)
    return name
  }

  /** Takes over what is known of pairs of rows that are as they were; answers which pairs are missing. */
  recall(keys: readonly string[], signs: SignPatterns, into: PairVerdicts): [number, number][] {
    const isSame = this.#signs === nameSigns(signs)
    const before = keys.map((key) => (isSame ? this.#places.get(key) : undefined))
    const last = new Map(keys.map((key, row) => [key, row]))
    const twins = keys.map((key) => last.get(key))
    const missing: [number, number][] = []
    for (let b = 1; b < keys.length; b++)
      for (let a = 0; a < b; a++) {
        const [one, other] = [before[a], before[b]]
        // Nothing differs between equal rows.
        if (twins[a] === twins[b]) into.p[pairIndex(a, b)] = 1
        else if (one === undefined || other === undefined) missing.push([a, b])
        else this.#copy(one, other, into, pairIndex(a, b))
      }
    return missing
  }

  keep(keys: readonly string[], signs: SignPatterns, verdicts: PairVerdicts): void {
    this.#signs = nameSigns(signs)
    this.#places = new Map(keys.map((key, place) => [key, place]))
    this.#verdicts = verdicts
  }

  #copy(one: number, other: number, { p, leads }: PairVerdicts, to: number): void {
    const from = pairIndex(Math.min(one, other), Math.max(one, other))
    const lead = this.#verdicts.leads[from] as number
    p[to] = this.#verdicts.p[from] as number
    leads[to] = one < other ? lead : 0 - lead
  }
}

const nameSigns = ({ patterns, seed }: SignPatterns) => `${patterns}/${seed}`

/** All that a row's part of a pair is found from. */
function nameReadings({ excluded, allFailed, allSolved }: ReadRow): string {
  if (excluded === allFailed) return nameTallies(excluded)
  return [excluded, allFailed, allSolved].map(nameTallies).join('\n\n')
}

function nameTallies(tallies: readonly TaskCounts[]): string {
  return tallies.map(({ taskId, solved, scored }) => `${taskId} ${solved}/${scored}`).join('\n')
}

/**
 * Sign-flip p-values of all pairs of rows. Void attempts are read against every verdict: a row leads with its own read
 * as failed and the other's as solved, or nobody does (p = 1), so that no outcome that they might have had undoes a
 * verdict. Without them the numbers are those of `signFlipTest`; where that would draw random patterns, the differences are
 * rounded and counted exactly, and a p-value above every level may be a lower bound of it. Rows without a common task get
 * p = 1. A pair's p depends on its two rows alone. Pairs that `memory` knows are not tested again.
 */
export function pairPValues(
  rows: readonly ReadRow[],
  signs: SignPatterns = rankingSigns(),
  memory = new PairMemory(),
): PairVerdicts {
  const count = (rows.length * Math.max(0, rows.length - 1)) / 2
  const p = new Float64Array(count)
  const leads = new Int8Array(count)
  const keys = rows.map((row) => memory.nameRow(row))
  const missing = memory.recall(keys, signs, { p, leads })
  // Rows are only scaled where a pair of them is tested.
  const scaled = missing.length > 0 ? scaleRows(rows) : []
  for (const [a, b] of missing) {
    const index = pairIndex(a, b)
    const tested = testAgainst(scaled[a] as ScaledReadings, scaled[b] as ScaledReadings, signs)
    p[index] = tested.p
    leads[index] = tested.lead
  }
  memory.keep(keys, signs, { p, leads })
  return { p, leads }
}

function testAgainst(a: ScaledReadings, b: ScaledReadings, signs: SignPatterns): PairTest {
  const test = testScaled(a.excluded, b.excluded, signs)
  const { lead } = test
  const isCertain = a.excluded === a.allFailed && b.excluded === b.allFailed
  if (isCertain || lead === 0) return test
  const [one, other] = lead > 0 ? [a.allFailed, b.allSolved] : [a.allSolved, b.allFailed]
  return { lead, p: robustP(test, testScaled(one, other, signs)) }
}

/** Tallies with task scores as multiples of the largest step that fits all rows, and the number of the list of tasks. */
type ScaledRow = { tallies: readonly TaskCounts[]; units: Float64Array; list: number }
type ScaledReadings = Record<VoidReading, ScaledRow>

function scaleRows(rows: readonly ReadRow[]): ScaledReadings[] {
  const all = new Set(rows.flatMap((row) => Object.values(row)))
  let step = 0
  for (const tallies of all)
    for (const score of taskScores(tallies)) step = greatestCommonDivisor(step, score)
  const lists = new Map<string, number>()
  const scale = (tallies: readonly TaskCounts[]): ScaledRow => {
    const ids = taskIdsOf(tallies)
    const list = lists.get(ids) ?? lists.size
    lists.set(ids, list)
    return { tallies, list, units: taskScores(tallies).map((score) => score / (step || 1)) }
  }
  const scaled = new Map([...all].map((tallies) => [tallies, scale(tallies)]))
  const scaledOf = (tallies: readonly TaskCounts[]) => scaled.get(tallies) as ScaledRow
  return rows.map(({ excluded, allFailed, allSolved }) => ({
    excluded: scaledOf(excluded),
    allFailed: scaledOf(allFailed),
    allSolved: scaledOf(allSolved),
  }))
}

/** Rows of the same tasks take a short cut over whole task scores. */
function testScaled(a: ScaledRow, b: ScaledRow, signs: SignPatterns): PairTest {
  if (a.list !== b.list) return testMerged(a, b, signs)
  const difference = a.units.map((value, task) => value - (b.units[task] as number))
  const lead = Math.sign(sum(difference))
  const { p, isExact } = boundSignFlip(reduce(difference), MOST_EXACT_WORK)
  const isEnough = isExact || p > ABOVE_ALL_LEVELS
  return { p: isEnough ? p : testMerged(a, b, signs).p, lead }
}

/** No level is as high as this: a p-value above it decides nothing, and a bound of it will do. */
const ABOVE_ALL_LEVELS = 0.2

/** The same differences in their largest common step. */
function reduce(difference: Float64Array): Float64Array {
  let step = 0
  for (let task = 0; task < difference.length && step !== 1; task++)
    step = greatestCommonDivisor(step, Math.abs(difference[task] as number))
  return step > 1 ? difference.map((value) => value / step) : difference
}

function testMerged(a: ScaledRow, b: ScaledRow, signs: SignPatterns): PairTest {
  const pairs = mergeTasks(a.tallies, b.tallies)
  if (pairs.length === 0) return { p: 1, lead: 0 }
  const lead = Math.sign(sum(pairs.map((pair) => taskScore(pair.a) - taskScore(pair.b))))
  const counted = countedSignFlip(pairs)
  if (counted !== null) return { p: counted, lead }
  const differences = differencesOf(pairs)
  // Random patterns cannot give a p-value below 1 / patterns, which many pairs may need.
  const rounded = roundedSignFlip(differences, COARSE_WORK) ?? roundedSignFlip(differences)
  return { p: rounded ?? randomSignFlip(differences, signs), lead }
}

/** Additions for a grid on which differences of an ordinary size are hardly rounded. */
const COARSE_WORK = MOST_EXACT_WORK / 4

/**
 * Exact p of the differences rounded to a grid on which every pattern can be counted. Rounding is the same for either sign,
 * so the test of the rounded differences holds its level as well. Null for more tasks than can be counted, and where a
 * difference would be rounded away.
 */
function roundedSignFlip(differences: readonly number[], work = MOST_EXACT_WORK): number | null {
  const total = differences.reduce((sum, value) => sum + Math.abs(value), 0)
  const fineness = Math.max(1, Math.floor((2 * work) / (differences.length * total)))
  const rounded = differences.map(
    (value) => Math.sign(value) * Math.round(Math.abs(value) * fineness),
  )
  const isLost = rounded.some((value, task) => value === 0 && differences[task] !== 0)
  return isLost ? null : exactSignFlip(rounded)
}

function sum(values: Float64Array | readonly number[]): number {
  let total = 0
  for (let index = 0; index < values.length; index++) total += values[index] as number
  return total
}

/**
 * The possible interim analyses of a row. `stages`: consecutive plans whose episodes add up to the row; 1 = as planned.
 * `states`: planned episodes of the last plan while it is unfinished, each a chance to look and to stop; 1 = finished.
 */
export type Looks = { stages: number; states: number }

/** One finished plan: its size was fixed before the first episode, so there is no interim analysis. */
export const PLANNED: Looks = { stages: 1, states: 1 }

/**
 * The correction for interim analyses: p-values are multiplied by it and levels divided. 1 for a row that was measured
 * as planned. Alpha is spent over the further looks (Lan and DeMets 1983; here look k gets alpha / (k (k + 1))), and
 * within an unfinished stage evenly over its episodes. Over endless top-ups that adds at most half of alpha to the first
 * plan's (Boole); since looks at the same tasks go together, it adds much less: `simulateLooks` measures the chance that
 * any look errs.
 */
export function lookPrice({ stages, states }: Looks): number {
  return stages === 1 && states === 1 ? 1 : stages * (stages + 1) * states
}

/** The interim analyses of a pair: one for each stage of either row and each episode of an unfinished one. */
export function pairLooks(a: Looks = PLANNED, b: Looks = PLANNED): Looks {
  const unfinished = [a, b].filter(({ states }) => states > 1)
  return {
    stages: a.stages + b.stages - 1,
    states: Math.max(
      1,
      unfinished.reduce((sum, { states }) => sum + states, 0),
    ),
  }
}

/** The correction for a pair once a further plan of each row has added samples to what was looked at before. */
export function furtherPrice(a: Looks = PLANNED, b: Looks = PLANNED): number {
  const [left, right] = [a, b].map(({ stages }) => ({ stages: stages + 1, states: 1 }))
  return lookPrice(pairLooks(left, right))
}
