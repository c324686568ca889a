import type { PlannedSlot } from '../eligibility/eligibility-context.ts'
import { expandPlan } from '../expand-plan.ts'
import type { PlannedRun } from './build-board-input.ts'

/**
 * The slots that these runs owe, each once. A run given in shards owes the shards it has; the slots of shards that no
 * run has are owed under the name `(no run)`, so that a lost shard shows as missing.
 */
export function buildPlannedSlots(runs: readonly PlannedRun[]): PlannedSlot[] {
  const owed = new Map<string, PlannedSlot>()
  const shared = new Map<string, { runs: PlannedRun[]; covered: Set<string> }>()
  for (const run of runs) {
    const group = shared.get(run.plan.planDigest) ?? { runs: [], covered: new Set() }
    shared.set(run.plan.planDigest, group)
    group.runs.push(run)
    for (const { taskId, repetition } of expandPlan(run.plan, run.shard)) {
      owed.set(`${run.runId}/${taskId}/${repetition}`, { runId: run.runId, taskId, repetition })
      group.covered.add(`${taskId}/${repetition}`)
    }
  }
  for (const { runs: members, covered } of shared.values()) {
    for (const { taskId, repetition } of expandPlan((members[0] as PlannedRun).plan)) {
      if (covered.has(`${taskId}/${repetition}`)) continue
      owed.set(`(no run)/${taskId}/${repetition}`, { runId: '(no run)', taskId, repetition })
    }
  }
  return [...owed.values()].sort(bySlot)
}

function bySlot(a: PlannedSlot, b: PlannedSlot): number {
  const [left, right] = [`${a.runId}/${a.taskId}`, `${b.runId}/${b.taskId}`]
  return left === right ? a.repetition - b.repetition : left < right ? -1 : 1
}
