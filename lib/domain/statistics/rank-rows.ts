import { holm } from './holm.ts'
import { type Looks, lookPrice, pairLooks } from './looks.ts'
import { pairIndex, pairPValues } from './pair-p-values.ts'
import { signPatterns } from './random-sign-flip.ts'
import { type Order, type RankRange, rankSets, tieLetters } from './rank-sets.ts'
import { scoreMatrix } from './score-matrix.ts'
import { RANKING_PATTERNS } from './sign-flip-test.ts'
import { taskScore } from './task-score.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/**
 * A row to be ranked. `key` is unique; `label` only orders rows of equal rate, for people. `looks` where the row was not
 * measured in one go.
 */
export type RankInput = {
  key: string
  label: string
  tallies: readonly TaskTally[]
  looks?: Looks | undefined
}

/**
 * A row's place in the order of rates (shared within its tie group, 1 = first), every rank the evidence allows, its tie
 * group from 1 and its letters: two rows share a letter exactly when they cannot be told apart.
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

export type RankOptions = { alpha: number; seed: number; resamples: number }

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
 * groups, runs of rows of which no two differ. A row's place lies in its set. Input order never matters.
 */
export function rankRows(
  inputs: readonly RankInput[],
  options: RankOptions = RANK_OPTIONS,
): Ranking {
  const candidates = inputs.flatMap((input) => {
    const tasks = scoredTasks(input.tallies)
    return tasks.ok ? [{ ...input, tallies: tasks.value, rate: rateOf(tasks.value) }] : []
  })
  const rows = candidates.sort(byRate)
  const order = orderPairs(rows, options)
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

function rateOf(tasks: readonly TaskTally[]): number {
  return tasks.reduce((sum, task) => sum + taskScore(task), 0) / tasks.length
}

function byRate(a: Candidate, b: Candidate): number {
  return b.rate - a.rate || compareText(a.label, b.label) || compareText(a.key, b.key)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Which rows, by position, are better than which others, after adjusting for all pairs and for all looks at them. */
function orderPairs(rows: readonly Candidate[], { alpha, seed, resamples }: RankOptions): Order {
  const tallies = rows.map((row) => row.tallies)
  const { p, leads } = pairPValues(tallies, scoreMatrix(tallies), signPatterns(resamples, seed))
  const prices = rows.flatMap((row, b) =>
    rows.slice(0, b).map(({ looks }) => lookPrice(pairLooks(looks, row.looks))),
  )
  const adjusted = holm(prices.map((price, index) => Math.min(1, price * (p[index] as number))))
  const values = adjusted.ok ? adjusted.value : []
  const better = (a: number, b: number) => {
    const index = pairIndex(a, b)
    return (values[index] ?? 1) <= alpha ? (leads[index] as -1 | 0 | 1) : 0
  }
  return (a, b) => {
    if (a === b) return 0
    return a < b ? better(a, b) : ((0 - better(b, a)) as -1 | 0 | 1)
  }
}

/** Runs of rows of which no two can be told apart; rows of different groups may still share a letter. */
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
