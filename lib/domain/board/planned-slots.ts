import {
  type AnyPlan,
  countSlots,
  expandPlan,
  isFrozen,
  type Plan,
  type PlannedSlot,
  type Shard,
  SlotMap,
} from '../record/index.ts'

/** One execution of a plan. Without `shard` the run is expected to contain the whole plan. */
export type PlannedRun = {
  runId: string
  plan: AnyPlan
  shard?: Shard
  /** Place of its first `include` in the ledger; absent = no ledger. */
  order?: number
}

/**
 * Lists the distinct expected slots of these runs. A sharded run is expected to contain its own shards; slots of shards
 * without a run are expected under the name `(no run)`, so that a lost shard shows as missing. For plans with arms,
 * only the slots of one arm belong to the row.
 */
export function buildPlannedSlots(runs: readonly PlannedRun[], arm?: string): PlannedSlot[] {
  const owed = new SlotMap<PlannedSlot>()
  const shared = new Map<string, PlannedRun[]>()
  for (const run of runs) {
    const { runId, plan, shard } = run
    for (const { taskId, repetition } of slotsOf(plan, arm, shard)) {
      const slot = { runId, taskId, repetition }
      owed.set(slot, slot)
    }
    const group = shared.get(plan.planDigest)
    if (group) group.push(run)
    else shared.set(plan.planDigest, [run])
  }
  const lost = [...shared.values()].flatMap((members) => listUncovered(members, owed, arm))
  return [...owed.values(), ...lost].sort(bySlot)
}

/** Returns the number of slots that `buildPlannedSlots` lists; `runs` have different ids. */
export function countPlannedSlots(runs: readonly PlannedRun[], arm?: string): number {
  if (runs.some(({ shard }) => shard !== undefined)) return buildPlannedSlots(runs, arm).length
  const count = (plan: AnyPlan) => (plan.arms ? slotsOf(plan, arm).length : countSlots(plan))
  return runs.reduce((sum, { plan }) => sum + count(plan), 0)
}

/** The arms that each run of a plan with arms measures. */
export function armsOfRuns(
  runs: readonly PlannedRun[],
): { runId: string; arms: readonly string[] }[] {
  return runs.flatMap(({ runId, plan, shard }) => {
    if (!plan.arms) return []
    const arms = new Set(expandPlan(plan, shard).flatMap(({ arm }) => arm ?? []))
    return { runId, arms: [...arms] }
  })
}

function slotsOf(plan: PlannedRun['plan'], arm: string | undefined, shard?: PlannedRun['shard']) {
  const slots = expandPlan(plan, shard)
  return plan.arms ? slots.filter((slot) => slot.arm === arm) : slots
}

/** Lists the slots of a plan that none of its runs is expected to contain. */
function listUncovered(
  members: readonly PlannedRun[],
  owed: SlotMap<PlannedSlot>,
  arm: string | undefined,
): PlannedSlot[] {
  const [first] = members
  // A run without a shard covers its plan.
  if (!first || members.some(({ shard }) => shard === undefined || shard.count === 1)) return []
  const found = new SlotMap<PlannedSlot>()
  for (const { taskId, repetition } of slotsOf(first.plan, arm)) {
    const slot = { runId: '(no run)', taskId, repetition }
    if (!members.some(({ runId }) => owed.has({ ...slot, runId }))) found.set(slot, slot)
  }
  return found.values()
}

/** Sorts by run, task and repetition. */
export function bySlot(a: PlannedSlot, b: PlannedSlot): number {
  return (
    compareText(a.runId, b.runId) || compareText(a.taskId, b.taskId) || a.repetition - b.repetition
  )
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The frozen plans of these runs by digest; for a plan frozen more than once, the first time counts. */
export function frozenPlans(runs: readonly PlannedRun[]): Map<string, Plan> {
  const plans = new Map<string, Plan>()
  for (const { plan } of runs) {
    if (!isFrozen(plan)) continue
    const known = plans.get(plan.planDigest)
    if (!known || plan.frozenAt < known.frozenAt) plans.set(plan.planDigest, plan)
  }
  return plans
}
