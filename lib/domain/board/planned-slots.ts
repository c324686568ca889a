import {
  type AnyPlan,
  expandPlan,
  isFrozen,
  joinParts,
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
export function buildPlannedSlots(
  runs: readonly PlannedRun[],
  arm?: string,
): readonly PlannedSlot[] {
  const whole = runs.filter(({ shard }) => shard === undefined || shard.count === 1)
  const isSimple =
    whole.length === runs.length && new Set(runs.map(({ runId }) => runId)).size === runs.length
  if (!isSimple) return listPlannedSlots(runs, arm).sort(bySlot)
  const sorted = [...runs].sort((a, b) => compareText(a.runId, b.runId))
  return joinParts(sorted.map((run) => slotsOfRun(run, arm)))
}

const runArms = new WeakMap<PlannedRun['plan'], Map<string, readonly string[]>>()

/** The arms that each run of a plan with arms measures. */
export function armsOfRuns(
  runs: readonly PlannedRun[],
): { runId: string; arms: readonly string[] }[] {
  return runs.flatMap(({ runId, plan, shard }) => {
    if (!plan.arms) return []
    const known = runArms.get(plan) ?? new Map<string, readonly string[]>()
    runArms.set(plan, known)
    const key = shard ? `${shard.index}/${shard.count}` : ''
    const found = known.get(key) ?? [
      ...new Set(expandPlan(plan, shard).flatMap(({ arm }) => arm ?? [])),
    ]
    known.set(key, found)
    return { runId, arms: found }
  })
}

/** Cached: the sorted slots of runs of whole plans. A run and its plan never change. */
const runSlots = new WeakMap<PlannedRun['plan'], { key: string; slots: readonly PlannedSlot[] }>()

function slotsOfRun(run: PlannedRun, arm: string | undefined): readonly PlannedSlot[] {
  const key = `${run.runId} ${arm ?? ''}`
  const known = runSlots.get(run.plan)
  if (known?.key === key) return known.slots
  const slots = listPlannedSlots([run], arm).sort(bySlot)
  runSlots.set(run.plan, { key, slots })
  return slots
}

/** The same, unsorted. */
function listPlannedSlots(runs: readonly PlannedRun[], arm?: string): PlannedSlot[] {
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
  return [...owed.values(), ...lost]
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

/** Indexes of all runs, shared by every row of a board. */
type RunIndex = { byId: Map<string, PlannedRun[]>; plans: Map<string, Plan> }

const indexes = new WeakMap<readonly PlannedRun[], RunIndex>()

/** Appends runs to a list and extends its index, instead of indexing the earlier runs again. */
export function addRuns(
  runs: readonly PlannedRun[],
  added: readonly PlannedRun[],
): readonly PlannedRun[] {
  if (added.length === 0) return runs
  const all = [...runs, ...added]
  const index = indexOf(runs)
  // The index now belongs to the longer list.
  indexes.delete(runs)
  indexes.set(all, extendIndex(index, added))
  return all
}

/** Indexes runs by id. */
export function indexRuns(runs: readonly PlannedRun[]): ReadonlyMap<string, PlannedRun[]> {
  return indexOf(runs).byId
}

/** Frozen plans by digest; for a plan frozen more than once, the first time counts. */
export function frozenPlans(runs: readonly PlannedRun[]): ReadonlyMap<string, Plan> {
  return indexOf(runs).plans
}

function indexOf(runs: readonly PlannedRun[]): RunIndex {
  const index = indexes.get(runs) ?? extendIndex({ byId: new Map(), plans: new Map() }, runs)
  indexes.set(runs, index)
  return index
}

function extendIndex({ byId, plans }: RunIndex, added: readonly PlannedRun[]): RunIndex {
  for (const run of added) {
    const { runId, plan } = run
    byId.set(runId, [...(byId.get(runId) ?? []), run])
    if (!isFrozen(plan)) continue
    const known = plans.get(plan.planDigest)
    if (!known || plan.frozenAt < known.frozenAt) plans.set(plan.planDigest, plan)
  }
  return { byId, plans }
}
