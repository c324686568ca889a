import { type StatisticResult, statisticValue } from './statistic-result.ts'
import { scoredTasks, type TaskCounts } from './task-counts.ts'

export type VoidReading = 'excluded' | 'allFailed' | 'allSolved'

/**
 * Returns the tallies with every void attempt left out, counted as failed, or counted as solved; including retried
 * ones.
 */
export function readVoids(tallies: readonly TaskCounts[], reading: VoidReading): TaskCounts[] {
  return tallies.map((tally) => {
    const { solved, scored, voids: _, retriedVoids: __, ...task } = tally
    if (reading === 'excluded') return { ...task, solved, scored }
    const voids = countVoids(tally)
    return {
      ...task,
      solved: reading === 'allSolved' ? solved + voids : solved,
      scored: scored + voids,
    }
  })
}

/** Counts the void attempts of a task: those that count as excluded, and those that were retried or replaced. */
export function countVoids({ voids = 0, retriedVoids = 0 }: TaskCounts): number {
  return voids + retriedVoids
}

export function hasVoids(tallies: readonly TaskCounts[]): boolean {
  return tallies.some((tally) => countVoids(tally) > 0)
}

/**
 * The scored tasks of a row, sorted by id, under each interpretation of its void attempts; the same list if it has
 * none.
 */
export type ReadRow = Record<VoidReading, readonly TaskCounts[]>

/** Refuses what `scoredTasks` refuses. */
export function readRow(tallies: readonly TaskCounts[]): StatisticResult<ReadRow> {
  const excluded = scoredTasks(tallies)
  if (!excluded.ok) return excluded
  if (!hasVoids(tallies)) return statisticValue(withoutVoids(excluded.value))
  const failed = scoredTasks(readVoids(tallies, 'allFailed'))
  const solved = scoredTasks(readVoids(tallies, 'allSolved'))
  if (!failed.ok) return failed
  if (!solved.ok) return solved
  return statisticValue({
    excluded: excluded.value,
    allFailed: failed.value,
    allSolved: solved.value,
  })
}

/** Wraps a row of scored, sorted tasks without void attempts. */
export function withoutVoids(scored: readonly TaskCounts[]): ReadRow {
  return { excluded: scored, allFailed: scored, allSolved: scored }
}

/** The p-value of a pair, and the leader on the common tasks (1 = a, -1 = b, 0 = neither). */
export type PairTest = { p: number; lead: number }

/**
 * Returns the p-value of a verdict that no outcome of the void attempts reverses; `against` is the same pair with them
 * counted against the lead. 1 if that removes the lead.
 */
export function robustP(test: PairTest, against: PairTest): number {
  return against.lead === test.lead ? Math.max(test.p, against.p) : 1
}
