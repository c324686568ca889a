import type { BoardRow, RowTask } from '../board/index.ts'
import { whatWouldDecide } from '../planner/index.ts'
import { BASELINE_ARM, EMPTY_ARM_DIGEST, groupBy, subjectLabel } from '../record/index.ts'
import {
  COST_OPTIONS,
  drawTasks,
  nearestRank,
  type RowComparison,
  seededGenerator,
} from '../statistics/index.ts'
import { countOf } from '../text/index.ts'
import type { ArmEffect, ArmsView, CostPerGain, MoreRuns } from './arms-view.ts'
import { formatActivation, formatArmEffect, formatArmParts } from './format-arms.ts'
import type { MeasuredDifference } from './measured-difference.ts'
import { normaliseComparison } from './normalise-comparison.ts'

/** Input of an arm's effect. */
export type ArmRow = Pick<
  BoardRow,
  'rowId' | 'subject' | 'tasks' | 'repetitions' | 'runIds' | 'activation' | 'looks' | 'armParts'
> &
  Partial<Pick<BoardRow, 'raw'>>

/**
 * Compares every arm of some rows with the baseline arm of its agent, from the comparison of all these rows: interval
 * and verdict are corrected for all of its pairs. Null = no arm with its baseline among the rows.
 */
export function compareArms(rows: readonly ArmRow[], compared: RowComparison): ArmsView | null {
  const pairs = pairArms(rows)
  if (pairs.length === 0) return null
  const effects = pairs.map(({ row, baseline }) => describeEffect(row, baseline, compared))
  return { effects, notes: listNotes(rows.filter(({ subject }) => subject.arm !== undefined)) }
}

/** Pairs every arm of some rows with the baseline arm of its agent; those without one are left out. */
export function pairArms(rows: readonly ArmRow[]): { row: ArmRow; baseline: ArmRow }[] {
  const arms = rows.filter(({ subject }) => subject.arm !== undefined)
  return groupByAgent(arms).flatMap((group) => {
    const baseline = group.find(isEmptyBaseline)
    const others = group.filter((row) => row !== baseline)
    return baseline ? others.map((row) => ({ row, baseline })) : []
  })
}

/** Rows stored before baselines had to be empty may have one with content. */
function isEmptyBaseline({ subject }: ArmRow): boolean {
  return subject.arm === BASELINE_ARM && subject.armDigest === EMPTY_ARM_DIGEST
}

/** Key shared by the arms of one agent; excludes the version, which may be the treatment. */
function agentKey({ kind, name, provider, modelRequested }: ArmRow['subject']): string {
  return JSON.stringify([kind, name, provider, modelRequested])
}

function groupByAgent(rows: readonly ArmRow[]): ArmRow[][] {
  return [...groupBy(rows, ({ subject }) => agentKey(subject)).values()]
}

function describeEffect(row: ArmRow, baseline: ArmRow, compared: RowComparison): ArmEffect {
  const result = normaliseComparison(compared, row.rowId, baseline.rowId)
  const difference = result.ok ? result : null
  const { arm: name = '', armDigest: _, ...subject } = row.subject
  return {
    rowId: row.rowId,
    baselineRowId: baseline.rowId,
    agent: subjectLabel(subject),
    arm: name,
    baseline: BASELINE_ARM,
    difference,
    sentence: formatArmEffect(`${name} (${formatArmParts(row)})`, result),
    activation: formatActivation(row.activation),
    costPerGain: costPerGain(row.tasks, baseline.tasks, difference),
    more: difference && decideArm(row, baseline, { difference, alpha: compared.pairAlpha }),
  }
}

function decideArm(
  row: ArmRow,
  baseline: ArmRow,
  { difference, alpha }: { difference: MeasuredDifference; alpha: number },
): MoreRuns | null {
  if (difference.verdict.kind !== 'cannot-tell') return null
  const found = whatWouldDecide([row, baseline], { seen: difference.difference, alpha })
  if (found === null) return null
  const { more, tasks, sentence } = found
  return {
    difference: found.difference,
    repetitions: more?.repetitions ?? null,
    tasks: tasks?.tasks ?? null,
    sentence,
  }
}

/** Arms that ran at different times may differ by what changed between their runs. */
function listNotes(rows: readonly ArmRow[]): string[] {
  return groupByAgent(rows).flatMap((group) => {
    const runs = group.map(({ runIds }) => [...runIds].sort().join())
    if (new Set(runs).size < 2) return []
    const names = group.map(({ subject }) => subject.arm).join(', ')
    return [
      `The arms ${names} did not run in the same runs, so changes of the provider between these runs are part of their difference.`,
    ]
  })
}

/** Mean cost and mean success of an episode of one common task, arm minus baseline. */
type TaskGain = { cost: number; gain: number }

/**
 * Returns the additional cost of an episode per additional success, in micro-dollars per additional solved task, with a
 * seeded bootstrap over the common tasks. Only if the arm is better, since otherwise the ratio has no sign.
 */
function costPerGain(
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
