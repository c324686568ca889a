import type { RowTask } from '../board/index.ts'
import { COST_OPTIONS, drawTasks, nearestRank, seededGenerator } from '../statistics/index.ts'
import { countOf } from '../text/index.ts'
import type { CostPerGain } from './arms-view.ts'
import type { MeasuredDifference } from './measured-difference.ts'

/** Mean cost and mean success of an episode of one common task, arm minus baseline. */
type TaskGain = { cost: number; gain: number }

/**
 * Returns the additional cost of an episode per additional success, in micro-dollars per additional solved task, with a
 * seeded bootstrap over the common tasks. Only if the arm is better, since otherwise the ratio has no sign.
 */
export function costPerGain(
  arm: readonly RowTask[],
  baseline: readonly RowTask[],
  difference: MeasuredDifference | null,
): CostPerGain {
  if (difference === null) return refuse('The two arms have no common task.')
  if (difference.verdict.kind !== 'better')
    return refuse('Not stated, because the arm is not shown to solve more than the baseline.')
  const tasks = pairTasks(arm, baseline)
  if (tasks === null) return refuse('The cost of some scored episodes is unknown.')
  const all = Uint32Array.from(tasks.keys())
  const { seed, resamples, level } = COST_OPTIONS
  const generator = seededGenerator(seed)
  const drawn = new Uint32Array(tasks.length)
  const ratios = Array.from({ length: resamples }, () =>
    ratioOf(tasks, drawTasks(tasks.length, generator, drawn)),
  )
  const low = nearestRank(ratios, (1 - level) / 2)
  const high = nearestRank(ratios, (1 + level) / 2)
  if (!Number.isFinite(low) || !Number.isFinite(high))
    return refuse('Not stated, because some resamples of the tasks show no gain.')
  return {
    ok: true,
    microUsd: ratioOf(tasks, all),
    lowMicroUsd: low,
    highMicroUsd: high,
    method: `ratio of mean differences, bootstrap over ${countOf(tasks.length, 'task')} (${countOf(resamples, 'resample')}, seed ${seed})`,
  }
}

function refuse(reason: string): CostPerGain {
  return { ok: false, reason }
}

/** Null = a cost is unknown. */
function pairTasks(arm: readonly RowTask[], baseline: readonly RowTask[]): TaskGain[] | null {
  const known = new Map(baseline.map((task) => [task.taskId, task]))
  const gains: TaskGain[] = []
  for (const task of arm) {
    const other = known.get(task.taskId)
    if (!other || task.scored === 0 || other.scored === 0) continue
    const [cost, before] = [meanCost(task), meanCost(other)]
    if (cost === null || before === null) return null
    const gain = task.solved / task.scored - other.solved / other.scored
    gains.push({ cost: cost - before, gain })
  }
  return gains
}

function meanCost({ spent, scored }: RowTask): number | null {
  const cost = spent?.costMicroUsd ?? null
  return cost === null ? null : cost / scored
}

/** Infinite if the drawn tasks show no gain. */
function ratioOf(tasks: readonly TaskGain[], drawn: Uint32Array): number {
  let [cost, gain] = [0, 0]
  for (const index of drawn) {
    cost += tasks[index]?.cost ?? 0
    gain += tasks[index]?.gain ?? 0
  }
  return gain > 0 ? cost / gain : Number.POSITIVE_INFINITY
}
