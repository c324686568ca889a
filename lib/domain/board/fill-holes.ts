import type { PlannedSlot } from '../eligibility/eligibility-context.ts'
import { isScored } from '../outcome.ts'
import type { PlannedRun } from './build-board-input.ts'
import type { EpisodeFact } from './episode-fact.ts'

/** A row's counted episodes and the slots it owes. */
export type Holding = { counted: EpisodeFact[]; planned: PlannedSlot[] }

/**
 * Lets top-ups replace what their runs lack: for each scored episode of a top-up, one slot of the same task that is
 * missing, void or cancelled in a run it tops up is owed no longer. Scored episodes are never replaced. The top-up of
 * fewer runs chooses first: a later one tops up the earlier ones too, and must not take what only they can fill.
 */
export function fillHoles(
  counted: readonly EpisodeFact[],
  planned: readonly PlannedSlot[],
  runs: readonly PlannedRun[],
): Holding {
  const topUps = runs.filter((run) => run.plan.topUpOf).sort(byReach)
  const filled = new Set<string>()
  for (const { runId, plan } of topUps) {
    const toppedUp = new Set(plan.topUpOf?.runIds)
    const added = counted.filter((fact) => fact.runId === runId && isScored(fact.status))
    const sound = new Set(counted.filter((fact) => isScored(fact.status)).map(key))
    for (const { taskId } of added) {
      const hole = planned.find(
        (slot) =>
          toppedUp.has(slot.runId) &&
          slot.taskId === taskId &&
          !sound.has(key(slot)) &&
          !filled.has(key(slot)),
      )
      if (hole) filled.add(key(hole))
    }
  }
  return {
    counted: counted.filter((fact) => !filled.has(key(fact))),
    planned: planned.filter((slot) => !filled.has(key(slot))),
  }
}

function byReach(a: PlannedRun, b: PlannedRun): number {
  const reach = ({ plan }: PlannedRun) => plan.topUpOf?.runIds.length ?? 0
  return reach(a) - reach(b) || (a.runId < b.runId ? -1 : 1)
}

function key({ runId, taskId, repetition }: PlannedSlot | EpisodeFact): string {
  return `${runId}/${taskId}/${repetition}`
}
