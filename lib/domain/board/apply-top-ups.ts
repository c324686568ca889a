import { type EpisodeFact, groupBy, isScored, type PlannedSlot, SlotMap } from '../record/index.ts'
import type { PlannedRun } from './planned-slots.ts'

/** A row's counted episodes and its expected slots. */
type Holding = {
  counted: readonly EpisodeFact[]
  planned: readonly PlannedSlot[]
  /** Slots filled by top-ups. */
  filled: readonly PlannedSlot[]
}

/**
 * Applies top-ups: for each scored episode of a top-up, one slot of the same task that is missing, void or cancelled in
 * a topped-up run is no longer expected. Scored episodes are never replaced. Top-ups of fewer runs go first, because
 * later ones may also fill slots of other runs.
 */
export function applyTopUps(
  counted: readonly EpisodeFact[],
  planned: readonly PlannedSlot[],
  runs: readonly PlannedRun[],
): Holding {
  const topUps = runs.filter((run) => run.plan.topUpOf).sort(byReach)
  if (topUps.length === 0) return { counted, planned, filled: [] }
  const filled = new SlotMap<PlannedSlot>()
  const sound = counted.filter(({ status }) => isScored(status))
  const scored = groupBy(sound, ({ runId }) => runId)
  const holes = groupBy(listHoles(planned, sound), ({ taskId }) => taskId)
  for (const { runId, plan } of topUps) {
    const toppedUp = new Set(plan.topUpOf?.runIds)
    for (const { taskId } of scored.get(runId) ?? []) {
      const open = holes.get(taskId) ?? []
      const at = open.findIndex((slot) => toppedUp.has(slot.runId))
      const [hole] = at === -1 ? [] : open.splice(at, 1)
      if (hole) filled.set(hole, hole)
    }
  }
  return {
    counted: counted.filter((fact) => !filled.has(fact)),
    planned: planned.filter((slot) => !filled.has(slot)),
    filled: filled.values(),
  }
}

function listHoles(planned: readonly PlannedSlot[], sound: readonly EpisodeFact[]): PlannedSlot[] {
  const filled = new SlotMap<true>()
  for (const fact of sound) filled.set(fact, true)
  return planned.filter((slot) => !filled.has(slot))
}

function byReach(a: PlannedRun, b: PlannedRun): number {
  const reach = ({ plan }: PlannedRun) => plan.topUpOf?.runIds.length ?? 0
  return reach(a) - reach(b) || (a.runId < b.runId ? -1 : 1)
}

/** Lists slots that a top-up filled and that have no attempt. */
export function listUnsent(
  filled: readonly PlannedSlot[],
  members: readonly EpisodeFact[],
): readonly PlannedSlot[] {
  if (filled.length === 0) return filled
  const attempted = new SlotMap<true>()
  for (const fact of members) attempted.set(fact, true)
  return filled.filter((slot) => !attempted.has(slot))
}
