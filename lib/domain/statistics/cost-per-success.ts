import { countOf } from '../text/index.ts'
import { rankOfSorted } from './distributions.ts'
import { CONFIDENCE } from './intervals.ts'
import { drawTasks, seededGenerator } from './seeded-generator.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/** Total spending of one task's scored episodes, in any unit (micro-dollars, tokens); null = not all known. */
export type TaskSpending = { taskId: string; spent: number | null; solved: number }

/**
 * Spending per success with its interval. `high` null = unbounded: some resamples had no success, or there is one task,
 * which says nothing about others (then `low` is 0).
 */
export type CostPerSuccess = {
  value: number
  low: number
  high: number | null
  method: string
  tasks: number
  solved: number
  seed: number
  resamples: number
}

export const COST_OPTIONS = { seed: 20_261_121, resamples: 2_000, level: CONFIDENCE }

/** Describes the interval's method; `tasks` is `25 tasks`, or `T tasks` in general descriptions. */
export function costMethod(
  tasks: string,
  { resamples, seed }: Pick<typeof COST_OPTIONS, 'resamples' | 'seed'>,
): string {
  return `ratio of sums, bootstrap over ${tasks} (${countOf(resamples, 'resample')}, seed ${seed})`
}

/**
 * Returns total spending, failures included, per success: a fast or cheap failure is not a success. The interval is a
 * seeded bootstrap of the ratio that resamples tasks and keeps their repetitions together. One task has no bounds.
 * Refuses: no tasks, invalid numbers, unknown spending, no success.
 */
export function costPerSuccess(
  tasks: readonly TaskSpending[],
  { seed, resamples, level } = COST_OPTIONS,
): StatisticResult<CostPerSuccess> {
  const problem = checkSpending(tasks)
  if (problem) return problem
  const sorted = [...tasks].sort((a, b) => (a.taskId < b.taskId ? -1 : 1))
  const sums = readSums(sorted)
  const value = ratio(sums, Uint32Array.from(sorted.keys()))
  const ratios = new Float64Array(resamples)
  eachResample(sorted.length, { seed, resamples }, (drawn, index) => {
    ratios[index] = ratio(sums, drawn)
  })
  const solved = sorted.reduce((sum, task) => sum + task.solved, 0)
  const method =
    sorted.length === 1
      ? ONE_TASK_COST
      : costMethod(countOf(sorted.length, 'task'), { resamples, seed })
  const bounds = boundsOf(ratios, sorted.length, level)
  return statisticValue({ value, ...bounds, method, tasks: sorted.length, solved, seed, resamples })
}

/** Method text if there is nothing to resample. */
const ONE_TASK_COST = 'ratio of sums of one task; says nothing about other tasks'

type Resampling = { seed: number; resamples: number }

/** Calls `use` with the tasks of each resample, by index. */
function eachResample(
  tasks: number,
  { seed, resamples }: Resampling,
  use: (drawn: Uint32Array, index: number) => void,
): void {
  if (tasks * resamples <= MAX_DRAWS) {
    const all = drawAll(tasks, { seed, resamples })
    for (let index = 0; index < resamples; index++)
      use(all.subarray(index * tasks, (index + 1) * tasks), index)
    return
  }
  const generator = seededGenerator(seed)
  const drawn = new Uint32Array(tasks)
  for (let index = 0; index < resamples; index++) use(drawTasks(tasks, generator, drawn), index)
}

/** Four megabytes. */
const MAX_DRAWS = 1 << 20
let last: (Resampling & { tasks: number; drawn: Uint32Array }) | undefined

/** Cached: the rows of a board have the same number of tasks, and drawing takes most of a bootstrap. */
function drawAll(tasks: number, { seed, resamples }: Resampling): Uint32Array {
  if (last?.tasks === tasks && last.seed === seed && last.resamples === resamples) return last.drawn
  const drawn = drawTasks(tasks, seededGenerator(seed), new Uint32Array(tasks * resamples))
  last = { tasks, seed, resamples, drawn }
  return drawn
}

/** Ratio of the spending per success of two sides; bounds as in `CostPerSuccess`. */
export type SpendingRatio = { value: number; low: number; high: number | null; tasks: number }

/**
 * Returns the spending per success of A divided by that of B over their common tasks, with a bootstrap interval that
 * resamples tasks for both sides together. Refuses what `costPerSuccess` refuses for either side, and a B that spent
 * nothing.
 */
export function spendingRatio(
  a: readonly TaskSpending[],
  b: readonly TaskSpending[],
  { seed, resamples, level } = COST_OPTIONS,
): StatisticResult<SpendingRatio> {
  const [left, right] = [commonTasks(a, b), commonTasks(b, a)]
  const problem = checkSpending(left) ?? checkSpending(right)
  if (problem) return problem
  const all = Uint32Array.from(left.keys())
  const [ours, theirs] = [readSums(left), readSums(right)]
  const value = ratio(ours, all) / ratio(theirs, all)
  if (!Number.isFinite(value))
    return refuseStatistic('unknown-cost', 'Nothing was spent on one side.')
  const ratios = new Float64Array(resamples)
  eachResample(left.length, { seed, resamples }, (drawn, index) => {
    ratios[index] = quotient(ratio(ours, drawn), ratio(theirs, drawn))
  })
  return statisticValue({
    value,
    ...boundsOf(ratios, left.length, level),
    tasks: left.length,
  })
}

/** Every resample of a single task is that task, so its bounds would equal the value. */
function boundsOf(ratios: Float64Array, tasks: number, level: number) {
  if (tasks === 1) return { low: 0, high: null }
  ratios.sort()
  const high = rankOfSorted(ratios, (1 + level) / 2)
  const low = rankOfSorted(ratios, (1 - level) / 2)
  return { low, high: Number.isFinite(high) ? high : null }
}

function commonTasks(own: readonly TaskSpending[], other: readonly TaskSpending[]): TaskSpending[] {
  const ids = new Set(other.map(({ taskId }) => taskId))
  return own.filter(({ taskId }) => ids.has(taskId)).sort((x, y) => (x.taskId < y.taskId ? -1 : 1))
}

/** A resample without a success of B counts as 0, one without a success of A as infinite. */
function quotient(a: number, b: number): number {
  if (Number.isFinite(b)) return b === 0 ? Number.POSITIVE_INFINITY : a / b
  return Number.isFinite(a) ? 0 : 1
}

function checkSpending(tasks: readonly TaskSpending[]): StatisticResult<never> | null {
  if (tasks.length === 0) return refuseStatistic('no-tasks', 'There are no tasks.')
  const isOdd = (value: number) => !Number.isFinite(value) || value < 0
  if (tasks.some((task) => isOdd(task.spent ?? 0) || isOdd(task.solved))) {
    return refuseStatistic('not-a-number', 'A cost or a count is not a number of zero or more.')
  }
  if (tasks.some((task) => task.spent === null)) {
    return refuseStatistic('unknown-cost', 'The cost of some scored episodes is unknown.')
  }
  if (tasks.every((task) => task.solved === 0))
    return refuseStatistic('no-success', 'No successes.')
  return null
}

/** Indexed by task, because a bootstrap reads them some ten thousand times. */
type Sums = { spent: Float64Array; solved: Float64Array }

function readSums(tasks: readonly TaskSpending[]): Sums {
  return {
    spent: Float64Array.from(tasks, (task) => task.spent ?? 0),
    solved: Float64Array.from(tasks, (task) => task.solved),
  }
}

function ratio(sums: Sums, drawn: Uint32Array): number {
  let [spent, solved] = [0, 0]
  for (let index = 0; index < drawn.length; index++) {
    const task = drawn[index] as number
    spent += sums.spent[task] as number
    solved += sums.solved[task] as number
  }
  return solved === 0 ? Number.POSITIVE_INFINITY : spent / solved
}
