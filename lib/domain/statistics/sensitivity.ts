import { type StatisticResult, statisticValue } from './statistic-result.ts'
import { SCORE_UNITS, scoredTasks, type TaskCounts, taskScore } from './task-counts.ts'
import { countVoids, readVoids } from './void-readings.ts'

/** A row's rate without one part of it, 0–1; `alike` counts the other parts that give exactly the same. */
export type WithoutOne = { rate: number; without: string; alike: number }

/** The lowest and the highest rate that leaving out one part can give; `parts` = number of parts. */
export type LeaveOneOut = { parts: number; least: WithoutOne; most: WithoutOne }

/**
 * Sensitivity of a row's rate to single tasks: the range of the rate with one task left out. Null with fewer than two
 * scored tasks. Sums are exact, so equal rates compare equal; of several the first by name is reported.
 */
export function leaveTaskOut(tallies: readonly TaskCounts[]): LeaveOneOut | null {
  return leaveOut(tallies, ({ taskId }) => taskId)
}

/** The same with all tasks of one category left out; null if the scored tasks have fewer than two categories. */
export function leaveCategoryOut(
  tallies: readonly TaskCounts[],
  categoryOf: (taskId: string) => string,
): LeaveOneOut | null {
  return leaveOut(tallies, ({ taskId }) => categoryOf(taskId))
}

function leaveOut(
  tallies: readonly TaskCounts[],
  partOf: (tally: TaskCounts) => string,
): LeaveOneOut | null {
  const parts = new Map<string, { score: number; tasks: number }>()
  const all = { score: 0, tasks: 0 }
  for (const tally of tallies) {
    if (tally.scored === 0) continue
    const part = parts.get(partOf(tally)) ?? { score: 0, tasks: 0 }
    parts.set(partOf(tally), part)
    for (const sum of [part, all]) {
      sum.score += taskScore(tally)
      sum.tasks++
    }
  }
  if (parts.size < 2) return null
  const rates = [...parts]
    .map(([without, part]) => ({
      without,
      rate: (all.score - part.score) / ((all.tasks - part.tasks) * SCORE_UNITS),
    }))
    .sort((a, b) => a.rate - b.rate || (a.without < b.without ? -1 : 1))
  const named = (rate: number): WithoutOne => {
    const same = rates.filter((one) => one.rate === rate)
    return { rate, without: same[0]?.without ?? '', alike: same.length - 1 }
  }
  return {
    parts: parts.size,
    least: named(rates[0]?.rate ?? 0),
    most: named(rates.at(-1)?.rate ?? 0),
  }
}

/** A row's rate (0–1) under three interpretations of its void episodes. */
type VoidSensitivity = {
  excluded: number
  allFailed: number
  allSolved: number
  voids: number
}

/**
 * Returns how far the void episodes could move a row's rate. Refuses rows without any scored episode, as `rowInterval`
 * does.
 */
export function voidSensitivity(tallies: readonly TaskCounts[]): StatisticResult<VoidSensitivity> {
  const excluded = meanRate(readVoids(tallies, 'excluded'))
  if (!excluded.ok) return excluded
  const allFailed = meanRate(readVoids(tallies, 'allFailed'))
  const allSolved = meanRate(readVoids(tallies, 'allSolved'))
  if (!allFailed.ok) return allFailed
  if (!allSolved.ok) return allSolved
  const voids = tallies.reduce((sum, tally) => sum + countVoids(tally), 0)
  return statisticValue({
    excluded: excluded.value,
    allFailed: allFailed.value,
    allSolved: allSolved.value,
    voids,
  })
}

function meanRate(tallies: readonly TaskCounts[]): StatisticResult<number> {
  const tasks = scoredTasks(tallies)
  if (!tasks.ok) return tasks
  return statisticValue(
    tasks.value.reduce((sum, task) => sum + task.solved / task.scored, 0) / tasks.value.length,
  )
}
