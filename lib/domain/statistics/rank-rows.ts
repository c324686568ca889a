import { benjaminiHochberg } from './benjamini-hochberg.ts'
import { bootstrapRanks, type RankRange } from './bootstrap-ranks.ts'
import { pairIndex, pairPValues } from './pair-p-values.ts'
import { type ScoreMatrix, scoreMatrix } from './score-matrix.ts'
import { taskScore } from './task-score.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** A row to be ranked. `key` is unique; `label` only orders rows of equal rate, for people. */
export type RankInput = { key: string; label: string; tallies: readonly TaskTally[] }

/** A row's place (shared within its tie group, 1 = first), the range the evidence allows, and its group from 1. */
export type RankedRow = { key: string; place: number; low: number; high: number; tieGroup: number }

export type Ranking = {
  /** Best first; rows without a scored episode are not in it. */
  rows: RankedRow[]
  /** What the ranking rests on, to be stored and shown with it. */
  alpha: number
  seed: number
  resamples: number
  pairs: number
}

export type RankOptions = { alpha: number; seed: number; resamples: number }

export const RANK_OPTIONS: RankOptions = { alpha: 0.05, seed: 20_261_121, resamples: 2_000 }

/** With fewer tasks no sign-flip test can reach 5 %, so the data allow every place. */
export const FEWEST_TASKS = 6

/**
 * Ranks rows by rate. Pairs are tested on common tasks (sign-flip) and adjusted together (Benjamini–Hochberg); a tie
 * group is the run of rows not separable from its first row, and shares its place. Rank intervals come from one common
 * task bootstrap and always contain the place. Input order never matters.
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
  const matrix = scoreMatrix(rows.map((row) => row.tallies))
  const separable = separablePairs(rows, matrix, options.alpha)
  const groups = tieGroups(rows.length, separable)
  const ranges = rankRanges(matrix, options)
  const ranked = rows.map(({ key }, index) => {
    const { place, tieGroup } = groups[index] as { place: number; tieGroup: number }
    const { low, high } = ranges[index] as RankRange
    return { key, place, low: Math.min(low, place), high: Math.max(high, place), tieGroup }
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

/** Answers whether two rows, by position, are separable after adjusting for all pairs. */
function separablePairs(rows: readonly Candidate[], matrix: ScoreMatrix, alpha: number) {
  const tallies = rows.map((row) => row.tallies)
  const adjusted = benjaminiHochberg([...pairPValues(tallies, matrix)])
  const values = adjusted.ok ? adjusted.value : []
  return (a: number, b: number) => (values[pairIndex(a, b)] ?? 1) <= alpha
}

function tieGroups(rows: number, separable: (a: number, b: number) => boolean) {
  const groups: { place: number; tieGroup: number }[] = []
  let [first, tieGroup] = [0, 1]
  for (let row = 0; row < rows; row++) {
    if (row > first && separable(first, row)) [first, tieGroup] = [row, tieGroup + 1]
    groups.push({ place: first + 1, tieGroup })
  }
  return groups
}

function rankRanges(matrix: ScoreMatrix, { alpha, seed, resamples }: RankOptions): RankRange[] {
  if (matrix.tasks < FEWEST_TASKS) {
    return Array.from({ length: matrix.rows }, () => ({ low: 1, high: matrix.rows }))
  }
  return bootstrapRanks(matrix, { resamples, seed, level: 1 - alpha })
}
