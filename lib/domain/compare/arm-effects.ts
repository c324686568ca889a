import type { BoardRow } from '../board/index.ts'
import { whatWouldDecide } from '../planner/index.ts'
import { BASELINE_ARM, EMPTY_ARM_DIGEST, groupBy, subjectLabel } from '../record/index.ts'
import type { RowComparison } from '../statistics/index.ts'
import { costPerGain } from './arm-cost.ts'
import type { ArmEffect, ArmsView, MoreRuns } from './arms-view.ts'
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
