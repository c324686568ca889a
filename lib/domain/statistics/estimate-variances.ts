import { type Answer, answered, refused } from './answer.ts'
import { pairTasks } from './pair-tasks.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** Variance components of one row: of true task means (v²), and of one repetition within a task (s²). */
export type RowVariances = { vSquared: number; sSquared: number; tasks: number }

/**
 * Splits a row's spread into tasks and chance, for the planner. Within: mean of n·m(1-m)/(n-1) over tasks with two or
 * more repetitions; between: variance of the task means less the chance part, at least 0.
 * Refuses rows with one task or without repetitions.
 */
export function estimateVariances(tallies: readonly TaskTally[]): Answer<RowVariances> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const repeated = tasks.filter((task) => task.scored > 1)
  if (tasks.length < 2 || repeated.length === 0) {
    return refused(
      'out-of-reach',
      'Two tasks and some repetitions are needed to tell spread from chance.',
    )
  }
  const sSquared = mean(
    repeated.map(({ solved, scored }) => (solved * (scored - solved)) / scored / (scored - 1)),
  )
  const chance = sSquared * mean(tasks.map((task) => 1 / task.scored))
  const vSquared = Math.max(0, spread(tasks.map((task) => task.solved / task.scored)) - chance)
  return answered({ vSquared, sSquared, tasks: tasks.length })
}

/** w² of two rows over their common tasks: variance of the differences less the chance part, at least 0. */
export function estimateDifferenceVariance(
  a: readonly TaskTally[],
  b: readonly TaskTally[],
): Answer<number> {
  const pairs = pairTasks(a, b)
  if (!pairs.ok) return pairs
  const [left, right] = [estimateVariances(a), estimateVariances(b)]
  if (!left.ok) return left
  if (!right.ok) return right
  if (pairs.value.length < 2) return refused('out-of-reach', 'Two common tasks are needed.')
  const total = spread(
    pairs.value.map((pair) => pair.a.solved / pair.a.scored - pair.b.solved / pair.b.scored),
  )
  const chanceA = left.value.sSquared * mean(pairs.value.map((pair) => 1 / pair.a.scored))
  const chanceB = right.value.sSquared * mean(pairs.value.map((pair) => 1 / pair.b.scored))
  return answered(Math.max(0, total - chanceA - chanceB))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function spread(values: readonly number[]): number {
  const centre = mean(values)
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1)
}
