import { type Answer, answered } from './answer.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** A row's rate (0–1) under three readings of its void episodes. */
export type VoidSensitivity = {
  excluded: number
  allFailed: number
  allSolved: number
  voids: number
}

export type VoidReading = 'excluded' | 'allFailed' | 'allSolved'

/** The tallies with every void episode left out, counted as failed, or counted as solved. */
export function readVoids(tallies: readonly TaskTally[], reading: VoidReading): TaskTally[] {
  return tallies.map(({ taskId, solved, scored, voids = 0 }) => {
    if (reading === 'excluded') return { taskId, solved, scored }
    return {
      taskId,
      solved: reading === 'allSolved' ? solved + voids : solved,
      scored: scored + voids,
    }
  })
}

/** How far the void episodes could move a row's rate. Refuses rows without any scored episode, as `rowInterval`. */
export function voidSensitivity(tallies: readonly TaskTally[]): Answer<VoidSensitivity> {
  const excluded = meanRate(readVoids(tallies, 'excluded'))
  if (!excluded.ok) return excluded
  const allFailed = meanRate(readVoids(tallies, 'allFailed'))
  const allSolved = meanRate(readVoids(tallies, 'allSolved'))
  if (!allFailed.ok) return allFailed
  if (!allSolved.ok) return allSolved
  const voids = tallies.reduce((sum, tally) => sum + (tally.voids ?? 0), 0)
  return answered({
    excluded: excluded.value,
    allFailed: allFailed.value,
    allSolved: allSolved.value,
    voids,
  })
}

function meanRate(tallies: readonly TaskTally[]): Answer<number> {
  const tasks = scoredTasks(tallies)
  if (!tasks.ok) return tasks
  return answered(
    tasks.value.reduce((sum, task) => sum + task.solved / task.scored, 0) / tasks.value.length,
  )
}
