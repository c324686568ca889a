import { compareText } from '../record/index.ts'
import { type Looks, lookPrice, pairLooks } from './looks.ts'
import { PairMemory, pairIndex, pairPValues } from './pair-p-values.ts'
import { type Placement, placeRows, type RankRange } from './place-rows.ts'
import type { StatisticResult } from './statistic-result.ts'
import { type TaskCounts, taskScore } from './task-counts.ts'
import { type ReadRow, readRow } from './void-readings.ts'

/**
 * A row to be ranked. `key` is unique; `label` only orders rows of equal rate, for people. `looks`: only if the row has
 * interim analyses.
 */
export type RankInput = {
  key: string
  label: string
  tallies: readonly TaskCounts[]
  looks?: Looks | undefined
}

/**
 * A row's place in the order of rates (shared within its tie group, 1 = first), every rank the evidence allows, its tie
 * group from 1 and its letters: two rows share a letter exactly when they do not differ significantly.
 */
export type RankedRow = RankRange & {
  key: string
  place: number
  tieGroup: number
  letters: string
}

export type Ranking = {
  /** Best first; rows without a scored episode are left out. */
  rows: RankedRow[]
  /** Parameters of the ranking, stored and shown with it. */
  alpha: number
  /** Always 0: every sign pattern is counted, none is drawn. */
  seed: number
  resamples: number
  pairs: number
}

type RankOptions = { alpha: number }

export const RANK_OPTIONS: RankOptions = { alpha: 0.05 }

/** With fewer tasks no sign-flip test can reach 5 %, so the data allow every rank. */
export const MIN_TASKS = 6

/**
 * Ranks rows by rate. Pairs are tested on common tasks (sign-flip), with void attempts counted against each verdict,
 * and adjusted together (Holm), so that the probability of even one false "better" on the board is at most alpha. Rank
 * sets, letters and tie groups (consecutive rows without a significant difference between any two) all come from these
 * verdicts. A row's place is in its set. The order of the input does not matter. Passing the same `memory` again avoids
 * testing pairs of unchanged rows.
 */
export function rankRows(
  inputs: readonly RankInput[],
  options: RankOptions = RANK_OPTIONS,
  memory = new RankMemory(),
): Ranking {
  const candidates = inputs.flatMap((input) => {
    const read = memory.readRow(input.tallies)
    return read.ok ? [{ ...input, read: read.value, rate: rateOf(read.value.excluded) }] : []
  })
  const rows = candidates.sort(byRate)
  const verdicts = decidePairs(rows, options, memory)
  const placed = memory.placement(verdicts, () => placeRows(rows.length, orderBy(verdicts, rows)))
  const ranked = rows.map(({ key }, index) => {
    const { place, tieGroup, low, high, letters } = placed[index] as Placement
    // Rows that lack tasks can win on the common ones and still have the lower rate.
    const range = { low: Math.min(low, place), high: Math.max(high, place) }
    return { key, place, ...range, tieGroup, letters }
  })
  const pairs = (rows.length * Math.max(0, rows.length - 1)) / 2
  return { rows: ranked, ...options, seed: 0, resamples: 0, pairs }
}

function orderBy(verdicts: Int8Array, rows: readonly unknown[]) {
  return (a: number, b: number) => verdicts[a * rows.length + b] as -1 | 0 | 1
}

type Candidate = RankInput & { read: ReadRow; rate: number }

function rateOf(tasks: readonly TaskCounts[]): number {
  return tasks.reduce((sum, task) => sum + taskScore(task), 0) / tasks.length
}

function byRate(a: Candidate, b: Candidate): number {
  return b.rate - a.rate || compareText(a.label, b.label) || compareText(a.key, b.key)
}

/**
 * Decides which rows are better than others, after adjusting for all pairs and their looks: 1, 0 or -1 for every two
 * positions.
 */
function decidePairs(
  rows: readonly Candidate[],
  { alpha }: RankOptions,
  memory: RankMemory,
): Int8Array {
  const { p, leads } = pairPValues(
    rows.map((row) => row.read),
    memory.pairs,
  )
  const priced = pricePairs(rows, p)
  const largest = largestRejected(priced, alpha)
  const verdicts = new Int8Array(rows.length * rows.length)
  for (let b = 1; b < rows.length; b++)
    for (let a = 0; a < b; a++) {
      const index = pairIndex(a, b)
      if (!((priced[index] as number) <= largest)) continue
      const lead = leads[index] as number
      verdicts[a * rows.length + b] = lead
      verdicts[b * rows.length + a] = 0 - lead
    }
  return verdicts
}

/** Corrects p-values for the looks at each pair; most rows were measured as planned. */
function pricePairs(rows: readonly Candidate[], p: Float64Array): Float64Array {
  const priced = p.slice()
  for (let b = 1; b < rows.length; b++)
    for (let a = 0; a < b; a++) {
      const [one, other] = [rows[a]?.looks, rows[b]?.looks]
      if (one === undefined && other === undefined) continue
      const index = pairIndex(a, b)
      priced[index] = Math.min(1, lookPrice(pairLooks(one, other)) * (p[index] as number))
    }
  return priced
}

/**
 * Returns the largest p-value that `holm` rejects at alpha; -1 = none. Values at or below it are rejected: of equal
 * values the first one has the largest adjusted p.
 */
export function largestRejected(p: Float64Array, alpha: number): number {
  // Values rejected by the strictest level are always rejected, and values above alpha never are: most pairs are
  // either.
  const open = new Float64Array(p.length)
  let [largest, rejected, left] = [-1, 0, 0]
  for (let index = 0; index < p.length; index++) {
    const value = p[index] as number
    if (value * p.length <= alpha) {
      largest = Math.max(largest, value)
      rejected++
    } else if (value <= alpha) open[left++] = value
  }
  // A typed array is sorted numerically without a comparator, in a tenth of the time.
  const sorted = open.subarray(0, left).sort()
  for (let index = 0; index < left; index++) {
    const value = sorted[index] as number
    if (!(value * (p.length - rejected) <= alpha)) break
    largest = value
    rejected++
  }
  return largest
}

/** Cached results of a ranking, so that only changes are computed again. Tallies never change. */
export class RankMemory {
  readonly pairs = new PairMemory()
  readonly #rows = new WeakMap<readonly TaskCounts[], StatisticResult<ReadRow>>()
  #placed: { verdicts: Int8Array; placement: readonly Placement[] } | null = null

  /** `readRow`, returning the same object for the same tallies. */
  readRow(tallies: readonly TaskCounts[]): StatisticResult<ReadRow> {
    const found = this.#rows.get(tallies) ?? readRow(tallies)
    this.#rows.set(tallies, found)
    return found
  }

  /** Cached placement for these verdicts: one more episode rarely changes any. */
  placement(verdicts: Int8Array, place: () => readonly Placement[]): readonly Placement[] {
    const known = this.#placed
    const placement = known && isSame(known.verdicts, verdicts) ? known.placement : place()
    this.#placed = { verdicts, placement }
    return placement
  }
}

function isSame(one: Int8Array, other: Int8Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
