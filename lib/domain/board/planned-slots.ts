import {
  type AnyPlan,
  bySlot,
  compareText,
  countSlots,
  expandPlan,
  groupBy,
  isFrozen,
  joinLists,
  type Plan,
  type PlannedSlot,
  repetitionsOf,
  type Shard,
  slotKey,
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
  const owed = joinLists(runs.map((run) => slotsOfRun(run, arm)))
  const shared = groupBy(runs, ({ plan }) => plan.planDigest)
  const lost = [...shared.values()].flatMap((members) => listUncovered(members, owed, arm))
  return [...owed, ...lost].sort(bySlot).filter(isFirst)
}

/** Returns whether a slot differs from the one before it; `sorted` is sorted by slot. */
function isFirst(slot: PlannedSlot, at: number, sorted: readonly PlannedSlot[]): boolean {
  const before = sorted[at - 1]
  return before === undefined || bySlot(before, slot) !== 0
}

function slotsOfRun({ runId, plan, shard }: PlannedRun, arm: string | undefined): PlannedSlot[] {
  if (plan.arms || shard)
    return slotsOf(plan, arm, shard).map(({ taskId, repetition }) => ({
      runId,
      taskId,
      repetition,
    }))
  // Slots are sorted by task, so sorting them again takes one pass.
  const tasks = [...plan.tasks].sort((a, b) => compareText(a.taskId, b.taskId))
  return tasks.flatMap((task) =>
    repetitionsOf(plan, task).map((repetition) => ({ runId, taskId: task.taskId, repetition })),
  )
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
  owed: readonly PlannedSlot[],
  arm: string | undefined,
): PlannedSlot[] {
  const [first] = members
  // A run without a shard covers its plan.
  if (!first || members.some(({ shard }) => shard === undefined || shard.count === 1)) return []
  const runIds = new Set(members.map(({ runId }) => runId))
  const covered = new Set(owed.filter(({ runId }) => runIds.has(runId)).map(slotKey))
  return slotsOf(first.plan, arm).flatMap((slot) =>
    covered.has(slotKey(slot))
      ? []
      : { runId: '(no run)', taskId: slot.taskId, repetition: slot.repetition },
  )
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
