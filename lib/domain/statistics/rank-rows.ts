import {
  type Looks,
  lookPrice,
  PairMemory,
  pairIndex,
  pairLooks,
  pairPValues,
} from './pair-p-values.ts'
import { RANKING_PATTERNS, signPatterns } from './sign-flip.ts'
import { refuseStatistic, type StatisticAnswer, statisticValue } from './statistic-result.ts'
import { scoredTasks, scoreMatrix, type TaskCounts, taskScore } from './task-counts.ts'

/**
 * A row to be ranked. `key` is unique; `label` only orders rows of equal rate, for people. `looks` where the row was not
 * measured in one go.
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
  /** Best first; rows without a scored episode are not in it. */
  rows: RankedRow[]
  /** What the ranking rests on, to be stored and shown with it. */
  alpha: number
  /** Of the random sign patterns, where a pair's patterns cannot all be counted, and their number. */
  seed: number
  resamples: number
  pairs: number
}

type RankOptions = { alpha: number; seed: number; resamples: number }

export const RANK_OPTIONS: RankOptions = {
  alpha: 0.05,
  seed: RANKING_PATTERNS.seed,
  resamples: RANKING_PATTERNS.patterns,
}

/** With fewer tasks no sign-flip test can reach 5 %, so the data allow every place. */
export const FEWEST_TASKS = 6

/**
 * Ranks rows by rate. Pairs are tested on common tasks (sign-flip) and adjusted together (Holm), so that the chance of
 * even one false "better" on the board is at most alpha. Rank sets and letters both come from these verdicts; so do tie
 * groups, runs of rows of which no two differ. A row's place is in its set. Input order never matters. A `memory` that
 * is passed again saves testing pairs of rows that did not change.
 */
export function rankRows(
  inputs: readonly RankInput[],
  options: RankOptions = RANK_OPTIONS,
  memory = new PairMemory(),
): Ranking {
  const candidates = inputs.flatMap((input) => {
    const tasks = scoredTasks(input.tallies)
    return tasks.ok ? [{ ...input, tallies: tasks.value, rate: rateOf(tasks.value) }] : []
  })
  const rows = candidates.sort(byRate)
  const order = orderPairs(rows, options, memory)
  const groups = tieGroups(rows.length, order)
  const sets = rankSets(rows.length, order)
  const letters = tieLetters(rows.length, order)
  const ranked = rows.map(({ key }, index) => {
    const { place, tieGroup } = groups[index] as { place: number; tieGroup: number }
    const { low, high } = sets[index] as RankRange
    // Rows that lack tasks can win on the common ones and still have the lower rate.
    const range = { low: Math.min(low, place), high: Math.max(high, place) }
    return { key, place, ...range, tieGroup, letters: letters[index] as string }
  })
  const pairs = (rows.length * Math.max(0, rows.length - 1)) / 2
  return { rows: ranked, ...options, pairs }
}

type Candidate = RankInput & { rate: number }

function rateOf(tasks: readonly TaskCounts[]): number {
  return tasks.reduce((sum, task) => sum + taskScore(task), 0) / tasks.length
}

function byRate(a: Candidate, b: Candidate): number {
  return b.rate - a.rate || compareText(a.label, b.label) || compareText(a.key, b.key)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Which rows, by position, are better than which others, after adjusting for all pairs and for all looks at them. */
function orderPairs(
  rows: readonly Candidate[],
  { alpha, seed, resamples }: RankOptions,
  memory: PairMemory,
): Order {
  const tallies = rows.map((row) => row.tallies)
  const signs = signPatterns(resamples, seed)
  const { p, leads } = pairPValues(tallies, scoreMatrix(tallies), signs, memory)
  const priced = new Float64Array(p.length)
  for (let b = 1; b < rows.length; b++)
    for (let a = 0; a < b; a++) {
      const price = lookPrice(pairLooks(rows[a]?.looks, rows[b]?.looks))
      priced[pairIndex(a, b)] = Math.min(1, price * (p[pairIndex(a, b)] as number))
    }
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
  return (a, b) => verdicts[a * rows.length + b] as -1 | 0 | 1
}

/**
 * The largest p-value that `holm` rejects at alpha; -1 = none. The values at or below it are the rejected ones: of equal
 * values the first one has the largest adjusted p.
 */
export function largestRejected(p: Float64Array, alpha: number): number {
  const sorted = p.slice().sort()
  let largest = -1
  for (let position = 0; position < sorted.length; position++) {
    const value = sorted[position] as number
    if (!(value * (sorted.length - position) <= alpha)) break
    largest = value
  }
  return largest
}

/** Runs of rows of which no two differ significantly; rows of different groups may still share a letter. */
function tieGroups(rows: number, order: Order) {
  const groups: { place: number; tieGroup: number }[] = []
  let [first, tieGroup] = [0, 1]
  for (let row = 0; row < rows; row++) {
    let isApart = false
    for (let member = first; member < row && !isApart; member++) isApart = order(member, row) !== 0
    if (isApart) [first, tieGroup] = [row, tieGroup + 1]
    groups.push({ place: first + 1, tieGroup })
  }
  return groups
}

/** Every place that the evidence allows a row, 1 = first. */
type RankRange = { low: number; high: number }

/** 1: row `a` is significantly better than row `b`; -1: worse; 0: no significant difference. Rows by position. */
type Order = (a: number, b: number) => -1 | 0 | 1

/**
 * Rank sets from pairwise verdicts: the best place is one behind all rows that are significantly better, the worst one
 * before all that are significantly worse. While no verdict is wrong, every set contains the row's true rank, so sets from
 * verdicts with a family-wise error of alpha hold all at once in 1 - alpha of boards (Mogstad, Romano, Shaikh and
 * Wilhelm 2024).
 */
function rankSets(rows: number, order: Order): RankRange[] {
  return Array.from({ length: rows }, (_, row) => {
    let [better, worse] = [0, 0]
    for (let other = 0; other < rows; other++) {
      if (other === row) continue
      const verdict = order(row, other)
      if (verdict < 0) better++
      if (verdict > 0) worse++
    }
    return { low: 1 + better, high: rows - worse }
  })
}

/**
 * Compact letter display: two rows share a letter exactly when they do not differ significantly. Rows stand in the order of
 * their rate; letters go A … Z, A2 … Z2, and so on, from the best row down. Each letter belongs to a largest set of rows
 * of which no two differ, and letters that say nothing new are left out (Piepho 2004).
 */
export function tieLetters(rows: number, order: Order): string[] {
  const isTied = (a: number, b: number) => a === b || order(a, b) === 0
  const groups = withoutSpares(tieCliques(rows, isTied), rows).sort(byMembers)
  const letters = new Array<string>(rows).fill('')
  groups.forEach((group, index) => {
    for (const row of group) letters[row] += letterOf(index)
  })
  return letters
}

/** Sets of rows of which no two differ; every pair that does not differ is in one of them. */
function tieCliques(rows: number, isTied: (a: number, b: number) => boolean): number[][] {
  const covered = new Uint8Array(rows * rows)
  const groups: number[][] = []
  const cover = (first: number, last: number) => {
    if (covered[first * rows + last] === 1 || !isTied(first, last)) return
    const group = growGroup(rows, first, last, isTied)
    groups.push(group)
    for (const a of group) for (const b of group) covered[a * rows + b] = 1
  }
  // The farthest partner first: the group around both covers most nearer ones.
  for (let first = 0; first < rows; first++)
    for (let last = rows - 1; last >= first; last--) cover(first, last)
  return groups
}

/** The rows between the two first, then those after, then those before: groups stay together. */
function growGroup(
  rows: number,
  first: number,
  last: number,
  isTied: (a: number, b: number) => boolean,
): number[] {
  const group = [...new Set([first, last])]
  const candidates = [
    ...range(first + 1, last),
    ...range(last + 1, rows),
    ...range(0, first).reverse(),
  ]
  for (const row of candidates) if (group.every((member) => isTied(member, row))) group.push(row)
  return group.sort((a, b) => a - b)
}

/** Leaves out groups all of whose pairs another group has, too. */
function withoutSpares(groups: readonly number[][], rows: number): number[][] {
  const times = new Uint32Array(rows * rows)
  const add = (group: readonly number[], change: number) => {
    for (const a of group)
      for (const b of group) times[a * rows + b] = (times[a * rows + b] as number) + change
  }
  for (const group of groups) add(group, 1)
  return groups.filter((group) => {
    const isSpare = group.every((a) => group.every((b) => (times[a * rows + b] as number) > 1))
    if (isSpare) add(group, -1)
    return !isSpare
  })
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((row, index) => row !== b[index])
  return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1)
}

function letterOf(index: number): string {
  const turn = Math.floor(index / ALPHABET.length)
  return `${ALPHABET[index % ALPHABET.length]}${turn === 0 ? '' : turn + 1}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/**
 * Holm's adjusted p-values (1979), in the order given: reject those at or below alpha, and the chance of even one false
 * rejection is at most alpha, whichever of the hypotheses are true (family-wise error in the strong sense), however the
 * tests depend on each other. Refuses a p that is not in 0–1.
 */
export function holm(p: readonly number[]): StatisticAnswer<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refuseStatistic('not-a-number', 'A p-value is not between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[a] as number) - (p[b] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let most = 0
  order.forEach((index, position) => {
    most = Math.max(most, Math.min(1, (p[index] as number) * (p.length - position)))
    adjusted[index] = most
  })
  return statisticValue(adjusted)
}

/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: reject those at or below alpha and at most that share
 * of the rejections is false, on average. Refuses a p that is not in 0–1.
 */
export function benjaminiHochberg(p: readonly number[]): StatisticAnswer<number[]> {
  if (p.some((value) => !(value >= 0 && value <= 1))) {
    return refuseStatistic('not-a-number', 'A p-value is not between 0 and 1.')
  }
  const order = Uint32Array.from(p.keys()).sort((a, b) => (p[b] as number) - (p[a] as number))
  const adjusted = new Array<number>(p.length).fill(1)
  let least = 1
  order.forEach((index, position) => {
    const rank = p.length - position
    least = Math.min(least, ((p[index] as number) * p.length) / rank)
    adjusted[index] = least
  })
  return statisticValue(adjusted)
}
