import { type Answer, answered } from './answer.ts'
import { boundedMeanInterval } from './bounded-mean.ts'
import { estimateVariances } from './estimate-variances.ts'
import { CONFIDENCE, type Interval, wilsonInterval } from './proportion-interval.ts'
import { scoredTasks, type TaskTally } from './task-tally.ts'
import { theseTasksInterval } from './these-tasks.ts'

/**
 * A row's success rate with an interval for each of two questions, all 0–1; `method` names an interval in words. `low`
 * and `high` speak of *tasks like these* (the tasks are a sample of such tasks), `theseTasks` of *these tasks* alone,
 * tried again (chance lies in the repetitions only).
 */
export type RowInterval = Interval & {
  rate: number
  method: string
  theseTasks: Interval & { method: string }
  /** Variance of one repetition within a task, and of true task means; null where repetitions cannot tell them apart. */
  variance: { within: number; between: number } | null
  /** sd(task means) / √T; null for one task. The interval is not made from it. */
  standardError: number | null
  tasks: number
  attempts: number
}

/** With fewer tasks than this no interval can promise what holds for tasks like these. */
export const FEW_TASKS = 12
export const FEW_TASKS_NOTE = 'few tasks: interval may be too narrow'

/** How a row's intervals were made, in words; numbers may be letters where no row is meant. */
export const ROW_METHODS = {
  tasks: (tasks: number | string) =>
    `bounded mean of ${tasks} tasks and one unseen task at the worst`,
  oneTask: 'Wilson on the repetitions of one task; says nothing about other tasks',
  theseTasks: 'variance within tasks, at most that of all repetitions pooled',
  unequal: '; unequal repetitions, each task weighs the same',
  few: `; ${FEW_TASKS_NOTE}`,
}

/**
 * Mean success over tasks, each task weighing the same, with both intervals. Tasks like these: `boundedMeanInterval` of
 * the task means, at least as wide as for these tasks alone. These tasks: `theseTasksInterval`. One task: Wilson on its
 * repetitions, for both. One more success never lowers a bound. Refuses: no tasks, no scored episodes, counts that are
 * no counts.
 */
export function rowInterval(
  tallies: readonly TaskTally[],
  level: number = CONFIDENCE,
): Answer<RowInterval> {
  const found = scoredTasks(tallies)
  if (!found.ok) return found
  const tasks = found.value
  const means = tasks.map((task) => task.solved / task.scored)
  const variances = estimateVariances(tasks)
  const row = {
    rate: mean(means),
    variance: variances.ok
      ? { within: variances.value.sSquared, between: variances.value.vSquared }
      : null,
    tasks: tasks.length,
    attempts: tasks.reduce((sum, task) => sum + task.scored, 0),
  }
  const [only] = tasks
  if (only && tasks.length === 1) {
    const bounds = wilsonInterval(only.solved, only.scored, level)
    if (!bounds.ok) return bounds
    const theseTasks = { ...bounds.value, method: ROW_METHODS.oneTask }
    const method = ROW_METHODS.oneTask + ROW_METHODS.few
    return answered({ ...row, ...bounds.value, method, theseTasks, standardError: null })
  }
  const balanced = tasks.every((task) => task.scored === only?.scored)
  const note = balanced ? '' : ROW_METHODS.unequal
  const within = theseTasksInterval(tasks, level)
  const sample = boundedMeanInterval({ values: means, floor: 0, ceiling: 1 }, level)
  return answered({
    ...row,
    low: Math.min(sample.low, within.low),
    high: Math.max(sample.high, within.high),
    method:
      ROW_METHODS.tasks(tasks.length) + note + (tasks.length < FEW_TASKS ? ROW_METHODS.few : ''),
    theseTasks: { ...within, method: ROW_METHODS.theseTasks + note },
    standardError: clusteredStandardError(means),
  })
}

/** sd(m) / sqrt(T): the cluster-robust error of a mean with one value a cluster; needs two or more means. */
export function clusteredStandardError(means: readonly number[]): number {
  const centre = mean(means)
  const squares = means.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (means.length - 1) / means.length)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
