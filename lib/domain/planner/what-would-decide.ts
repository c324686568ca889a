import { z } from 'zod'
import type { BoardRow } from '../board/index.ts'
import {
  ASSUMED_VARIANCES,
  estimateVariances,
  familiesOf,
  furtherPrice,
  MAX_NEEDED_REPETITIONS,
  pooledDifferenceVariance,
  repetitionsNeeded,
  SMALL_DIFFERENCE,
  type TaskCounts,
  wholeTasksNeeded,
} from '../statistics/index.ts'
import { countOf, formatCost } from '../text/index.ts'
import { POWER } from './find-power.ts'

const count = z.number().int().nonnegative()

/** Repetitions or tasks that decide an undecided pair with 80 % power, if the true difference is the assumed one. */
export const decisionSchema = z.object({
  /** The assumed true difference, 0–1: the observed one, or the smallest that does not count as small. */
  difference: z.number(),
  /**
   * Further repetitions of each common task on both sides, and the episodes of both; null = a hundred in total are too
   * few.
   */
  more: z
    .object({ repetitions: count, episodes: count, costMicroUsd: z.number().nullable() })
    .nullable(),
  /**
   * Sufficient tasks at the present repetitions, and the episodes of both sides, since another version of the suite is
   * measured in full; null = more than 10,000.
   */
  tasks: z
    .object({ tasks: count, episodes: count, costMicroUsd: z.number().nullable() })
    .nullable(),
  sentence: z.string(),
})
export type Decision = z.infer<typeof decisionSchema>

export type DecisionRow = Pick<BoardRow, 'tasks' | 'repetitions' | 'looks'> & {
  raw?: Pick<BoardRow['raw'], 'costPerEpisodeMicroUsd'>
}

const MAX_TASKS = 10_000

/**
 * Estimates what would decide between two rows. `alpha` is the level of their pair. Further repetitions are a further
 * look at the same entries, so they are judged at the corrected level that the board will use. `pool` = all rows whose
 * pairs show how true differences vary over tasks. `isRough`: by a formula instead of a simulation. Null = no common
 * task.
 */
export function whatWouldDecide(
  [a, b]: readonly [DecisionRow, DecisionRow],
  {
    seen,
    alpha,
    pool = [],
    isRough = false,
  }: {
    seen: number
    alpha: number
    pool?: readonly Pick<DecisionRow, 'tasks'>[]
    isRough?: boolean
  },
): Decision | null {
  const known = new Set(b.tasks.flatMap((task) => (task.scored > 0 ? [task.taskId] : [])))
  const common = a.tasks.filter((task) => task.scored > 0 && known.has(task.taskId))
  if (common.length === 0) return null
  const difference = Math.max(Math.abs(seen), SMALL_DIFFERENCE)
  const present = Math.max(1, Math.min(a.repetitions.least, b.repetitions.least))
  // A family counts as one task with the episodes of all its tasks.
  const units = familiesOf(common)?.count ?? common.length
  const size = common.length / units
  const design = { tasks: units, ...variancesOf(a.tasks, b.tasks, pool), alpha, power: POWER.power }
  const again = { ...design, alpha: alpha / furtherPrice(a.looks, b.looks) }
  const needed = repetitionsNeeded(difference, again, Math.floor(present * size), isRough)
  const total = needed === null ? null : Math.ceil(needed / size)
  const rows = { repetitionsA: present * size, repetitionsB: present * size }
  const wanted = wholeTasksNeeded(difference, { ...design, ...rows })
  const tasks = wanted.ok ? Math.ceil(wanted.value * size) : null
  const priced = (episodes: number) => ({ episodes, costMicroUsd: priceOf([a, b], episodes) })
  const repetitions = total === null ? null : Math.max(1, total - present)
  const more =
    repetitions === null ? null : { repetitions, ...priced(2 * repetitions * common.length) }
  const others = tasks === null || tasks > MAX_TASKS ? null : Math.max(tasks, common.length + 1)
  const added = others === null ? null : { tasks: others, ...priced(2 * present * others) }
  return {
    difference,
    more,
    tasks: added,
    sentence: sentenceOf(difference, more, added, common.length),
  }
}

function variancesOf(
  a: readonly TaskCounts[],
  b: readonly TaskCounts[],
  pool: readonly Pick<DecisionRow, 'tasks'>[],
): typeof ASSUMED_VARIANCES {
  const [left, right] = [estimateVariances(a), estimateVariances(b)]
  const wSquared = pooledDifferenceVariance(
    pool.length > 2 ? pool.map(({ tasks }) => tasks) : [a, b],
  )
  if (!left.ok || !right.ok || wSquared === null) return ASSUMED_VARIANCES
  const learned = {
    wSquared,
    sSquaredA: left.value.sSquared,
    sSquaredB: right.value.sSquared,
  }
  const isFlat = learned.wSquared + learned.sSquaredA + learned.sSquaredB === 0
  return isFlat ? ASSUMED_VARIANCES : learned
}

/** Cost of half of the episodes on each side, at the mean cost of its scored ones; null = unknown on a side. */
function priceOf(rows: readonly DecisionRow[], episodes: number): number | null {
  const costs = rows.map(({ raw }) => raw?.costPerEpisodeMicroUsd ?? null)
  return costs.reduce<number | null>(
    (sum, cost) => (sum === null || cost === null ? null : sum + (cost * episodes) / 2),
    0,
  )
}

/** `60 more episodes (about $14) would decide a difference of 10 points.` */
function sentenceOf(
  difference: number,
  more: Decision['more'],
  tasks: Decision['tasks'],
  common: number,
): string {
  const goal = `a difference of ${countOf(Math.round(100 * difference), 'point')} (80 % power)`
  const price = (costMicroUsd: number | null) =>
    costMicroUsd === null || costMicroUsd === 0 ? '' : `, about ${formatCost(costMicroUsd)}`
  if (more !== null)
    return `${countOf(more.episodes, 'more episode')} (${countOf(more.repetitions, 'more repetition')} of each task on both sides${price(more.costMicroUsd)}) would decide ${goal}.`
  const these = common === 1 ? 'this task' : `these ${countOf(common, 'task')}`
  const few = `Even ${MAX_NEEDED_REPETITIONS} repetitions of ${these} would not decide ${goal}`
  if (tasks === null) return `${few}; more tasks are needed.`
  return `${few}; about ${countOf(tasks.tasks, 'task')} would (${countOf(tasks.episodes, 'episode')} of a new version of the suite${price(tasks.costMicroUsd)}).`
}
