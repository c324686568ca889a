import { SCORE_UNITS, taskScore } from './task-score.ts'
import type { TaskTally } from './task-tally.ts'

/** A row's rate without one part of it, 0–1; `alike` counts the other parts that give exactly the same. */
export type WithoutOne = { rate: number; without: string; alike: number }

/** The lowest and the highest rate that leaving out one part can give; `parts` = how many there are. */
export type LeaveOneOut = { parts: number; least: WithoutOne; most: WithoutOne }

/**
 * How much a row's rate rests on single tasks: the range of the rate when one task is left out. Null with fewer than
 * two scored tasks. Sums are exact, so equal rates are found equal; of several the first by name is named.
 */
export function leaveTaskOut(tallies: readonly TaskTally[]): LeaveOneOut | null {
  return leaveOut(tallies, ({ taskId }) => taskId)
}

/** The same with all tasks of one category left out; null where the scored tasks have fewer than two categories. */
export function leaveCategoryOut(
  tallies: readonly TaskTally[],
  categoryOf: (taskId: string) => string,
): LeaveOneOut | null {
  return leaveOut(tallies, ({ taskId }) => categoryOf(taskId))
}

function leaveOut(
  tallies: readonly TaskTally[],
  partOf: (tally: TaskTally) => string,
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
