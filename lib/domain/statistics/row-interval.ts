import { type Answer, answered } from './answer.ts'
import {
  CONFIDENCE,
  clopperPearsonInterval,
  type Interval,
  wilsonInterval,
} from './proportion-interval.ts'
import { tQuantile } from './t-quantile.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'

/** A row's success rate. `rate`, `low`, `high` 0–1; `method` names the interval in words, for pages. */
export type RowInterval = Interval & {
  rate: number
  method: string
  /** Standard error over tasks; null where the interval was not made from one. */
  standardError: number | null
  tasks: number
  attempts: number
}

/** How a row's interval was made, in words; numbers may be letters where no row is meant. */
export const ROW_METHODS = {
  tasks: (freedom: number | string) => `task-clustered t, ${freedom} degrees of freedom`,
  oneTask: 'Wilson on the repetitions of one task; says nothing about other tasks',
  equalTasks: (tasks: number | string, why: string) =>
    `Clopper–Pearson bound on ${tasks} tasks (${why}, so tasks show no spread)`,
  unequal: '; unequal repetitions, each task weighs the same',
}

/**
 * Mean success over tasks with its interval, clustered by task: mean of the task means, t with T-1 degrees of freedom
 * (statistics.md). One task: Wilson on its repetitions. Task means without any spread: Clopper–Pearson on T tasks.
 * Refuses: no tasks, no scored episodes, counts that are no counts.
 */
export function rowInterval(
  tallies: readonly TaskTally[],
  level: number = CONFIDENCE,
): Answer<RowInterval> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const attempts = tasks.reduce((sum, task) => sum + task.scored, 0)
  const means = tasks.map((task) => task.solved / task.scored)
  const rate = mean(means)
  const size = { rate, tasks: tasks.length, attempts }
  if (tasks.length === 1) return fromOneTask(tasks[0] as TaskTally, size, level)
  const note = weightingNote(tasks)
  const standardError = clusteredStandardError(means)
  if (means.every((value) => value === means[0])) return fromEqualTasks(size, note, level)
  const half = tQuantile(0.5 + level / 2, tasks.length - 1) * standardError
  const low = Math.max(0, rate - half)
  const high = Math.min(1, rate + half)
  const method = ROW_METHODS.tasks(tasks.length - 1) + note
  return answered({ ...size, low, high, standardError, method })
}

/** sd(m) / sqrt(T): the cluster-robust error of a mean with one value a cluster; needs two or more means. */
export function clusteredStandardError(means: readonly number[]): number {
  const centre = mean(means)
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (means.length - 1) / means.length)
}

type Size = { rate: number; tasks: number; attempts: number }

function fromOneTask(task: TaskTally, size: Size, level: number): Answer<RowInterval> {
  const bounds = wilsonInterval(task.solved, task.scored, level)
  if (!bounds.ok) return bounds
  return answered({
    ...size,
    ...bounds.value,
    standardError: null,
    method: ROW_METHODS.oneTask,
  })
}

function fromEqualTasks(size: Size, note: string, level: number): Answer<RowInterval> {
  const bounds = clopperPearsonInterval(size.rate * size.tasks, size.tasks, level)
  if (!bounds.ok) return bounds
  const why =
    size.rate === 0 ? 'all failed' : size.rate === 1 ? 'all solved' : 'all task means equal'
  const method = ROW_METHODS.equalTasks(size.tasks, why) + note
  return answered({ ...size, ...bounds.value, standardError: null, method })
}

function weightingNote(tasks: readonly TaskTally[]): string {
  const balanced = tasks.every((task) => task.scored === tasks[0]?.scored)
  return balanced ? '' : ROW_METHODS.unequal
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
