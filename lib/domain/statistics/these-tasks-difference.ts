import { normalQuantile } from './distributions.ts'
import type { Interval } from './intervals.ts'
import type { TaskCounts } from './task-counts.ts'

/** The difference a − b of two mean success rates on just these tasks, −1 … 1. */
export type TheseTasksDifference = Interval & { difference: number }

/**
 * Interval for the difference of two rows on just their common tasks, tried again: chance comes from the repetitions alone.
 * Each rate gets Wilson's interval with the effective number of episodes, which variance within tasks makes larger than the
 * number of episodes; both are put together as Newcombe (1998) does (his tenth method, which it is for tasks of one
 * episode). Every task weighs the same. Null = no task with a scored episode on both sides.
 */
export function theseTasksDifference(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
  level: number,
): TheseTasksDifference | null {
  return prepareTheseTasks(a, b)?.(level) ?? null
}

/** The same for several levels. */
export function prepareTheseTasks(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
): ((level: number) => TheseTasksDifference) | null {
  const others = new Map(b.map((task) => [task.taskId, task]))
  const [left, right]: [TaskCounts[], TaskCounts[]] = [[], []]
  for (const task of a) {
    const other = others.get(task.taskId)
    if (!other || task.scored === 0 || other.scored === 0) continue
    left.push(task)
    right.push(other)
  }
  if (left.length === 0) return null
  const [one, other] = [sumTasks(left), sumTasks(right)]
  const difference = one.rate - other.rate
  return (level) => {
    const z = normalQuantile(0.5 + level / 2)
    const [x, y] = [wilsonByTasks(one, z), wilsonByTasks(other, z)]
    return {
      difference,
      low: difference - Math.hypot(one.rate - x.low, y.high - other.rate),
      high: difference + Math.hypot(x.high - one.rate, other.rate - y.low),
    }
  }
}

/** A rate with its episodes (those of a row with as many in each task), their pooled variance and that within tasks. */
type Summed = { rate: number; episodes: number; spread: number; within: number }

/** The variance within tasks is Σ solved·failed/(n−1), that of a task tried once 1/4. */
function sumTasks(tasks: readonly TaskCounts[]): Summed {
  let [sum, inverse, within] = [0, 0, 0]
  for (const { solved, scored } of tasks) {
    sum += solved / scored
    inverse += 1 / scored
    const variance = scored === 1 ? 1 / 4 : (solved * (scored - solved)) / scored / (scored - 1)
    within += variance / scored
  }
  const rate = sum / tasks.length
  const episodes = tasks.length ** 2 / inverse
  const spread = episodes * rate * (1 - rate)
  return {
    rate,
    episodes,
    spread,
    within: Math.min(spread, within * (episodes / tasks.length) ** 2),
  }
}

/**
 * Wilson's interval with the effective number of episodes. z²/2 episodes' worth of the pooled variance is added to that within
 * tasks: no failure seen is not no failure possible.
 */
function wilsonByTasks({ rate, episodes, spread, within }: Summed, z: number): Interval {
  const added = (z * z) / 2
  const effective = (episodes * (spread + added)) / (within + added)
  const scale = 1 + (z * z) / effective
  const centre = (rate + (z * z) / (2 * effective)) / scale
  const half = (z * Math.sqrt((rate * (1 - rate)) / effective + (z / (2 * effective)) ** 2)) / scale
  return { low: Math.min(rate, centre - half), high: Math.max(rate, centre + half) }
}
