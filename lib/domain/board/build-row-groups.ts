import {
  type EligibilityContext,
  judgeRegistration,
  type PlannedSlot,
  type PlanTerms,
  type RowRegistration,
} from '../eligibility/index.ts'
import { correctFacts, EMPTY_LEDGER } from '../ledger/index.ts'
import {
  type EpisodeFact,
  expandPlan,
  groupByIdentity,
  identifyRow,
  isFrozen,
  isScored,
  type Plan,
  type RowIdentity,
  SlotMap,
  senderOf,
  type Variants,
} from '../record/index.ts'
import { countTasks } from '../statistics/index.ts'
import type { RowTask } from './board-row.ts'
import type { EligibilityInput, PlannedRun } from './build-board-input.ts'

/** When the first episode of a run under a plan started. */
export type RunStart = Pick<EpisodeFact, 'runId' | 'planDigest' | 'startedAt'>

/** The episodes of one row, with their planned slots. */
export type RowGroup = {
  rowId: string
  /** Other ids of the row: links, badges and corrections with earlier ids stay valid. */
  aliases: string[]
  identity: RowIdentity
  /** The sender; null = this server ran it. */
  sender: string | null
  /** All its episodes, counted or not. */
  members: readonly EpisodeFact[]
  /** Of all its runs. */
  starts: RunStart[]
  counted: EpisodeFact[]
  retried: EpisodeFact[]
  /** Void attempts that no longer count, because their slots were retried or topped up. */
  replacedVoids: EpisodeFact[]
  tallies: RowTask[]
  planned: PlannedSlot[]
  /** The runs of its episodes, as far as their plans are known. */
  runs: PlannedRun[]
  /** Their frozen plans, by run id; reported results have none. */
  plans: ReadonlyMap<string, Plan>
  /** Its runs compared with the registered plans; null = not checked. */
  registration: RowRegistration | null
}

/**
 * Groups the episodes of the suite's newest digest into rows: one subject under one set of settings from one sender,
 * with rows under planned faults (stress) kept separate. Other suite digests belong to the history.
 */
export function buildRowGroups({
  suite,
  facts,
  runs,
  ledger = EMPTY_LEDGER,
  registrations,
}: EligibilityInput): RowGroup[] {
  const own = correctFacts(facts, ledger).filter(
    (fact) => fact.suiteDigest === suite.digest && fact.suiteId === suite.suiteId,
  )
  const rows = groupByIdentity(own).map((variants) => {
    const row = rowGroup(variants, runs)
    const { suiteDigest, subject, settings } = row.identity
    const asked = { suiteDigest, subject, settings, facts: row.starts }
    return { ...row, registration: registrations ? judgeRegistration(asked, registrations) : null }
  })
  return rows.sort((a, b) => (a.rowId < b.rowId ? -1 : 1))
}

/** By plan digest, frozen plans only; a plan that was frozen more than once counts from the first time. */
export function frozenPlans(runs: readonly PlannedRun[]): EligibilityContext['plans'] {
  const plans = new Map<string, PlanTerms>()
  for (const { plan } of runs) {
    if (!isFrozen(plan)) continue
    const known = plans.get(plan.planDigest)
    if (!known || plan.frozenAt < known.frozenAt) plans.set(plan.planDigest, plan)
  }
  return plans
}

function rowGroup(variants: Variants, runs: readonly PlannedRun[]): Omit<RowGroup, 'registration'> {
  const members = variants.flat()
  const runIds = new Set(members.map((fact) => fact.runId))
  const own = runs.filter((run) => runIds.has(run.runId))
  const { retried, ...attempts } = buildCountedFacts(members)
  const row = identifyRow(variants)
  const slots = buildPlannedSlots(own, row.identity.subject.arm)
  const { counted, planned } = applyTopUps(attempts.counted, slots, own)
  return {
    ...row,
    sender: senderOf(members[0] as EpisodeFact),
    members,
    starts: listStarts(members),
    counted,
    retried,
    replacedVoids: listReplacedVoids(members, counted),
    tallies: countTasks(counted),
    planned,
    runs: own,
    plans: new Map(own.flatMap(({ runId, plan }) => (isFrozen(plan) ? [[runId, plan]] : []))),
  }
}

function listStarts(members: readonly EpisodeFact[]): RunStart[] {
  const starts = new Map<string, RunStart>()
  let [last, key] = [members[0], '']
  for (const fact of members) {
    const { runId, planDigest, startedAt } = fact
    if (key === '' || runId !== last?.runId || planDigest !== last.planDigest)
      key = `${runId} ${planDigest}`
    last = fact
    const known = starts.get(key)
    const isFirst =
      !known ||
      (startedAt !== known.startedAt && Date.parse(startedAt) < Date.parse(known.startedAt))
    if (isFirst) starts.set(key, { runId, planDigest, startedAt })
  }
  return [...starts.values()]
}

/** Reporting failures as cancelled gives a sender no more attempts than reporting them as void. */
function isLost(fact: EpisodeFact): boolean {
  return fact.status === 'void' || (fact.status === 'cancelled' && senderOf(fact) !== null)
}

/** Void attempts stay recorded, so that a retry cannot hide a failure. */
function listReplacedVoids(
  members: readonly EpisodeFact[],
  counted: readonly EpisodeFact[],
): EpisodeFact[] {
  const still = new Set(counted.map(({ episodeId }) => episodeId))
  const replaced = new Map(
    members
      .filter((fact) => isLost(fact) && !still.has(fact.episodeId))
      .map((fact) => [fact.episodeId, fact]),
  )
  return [...replaced.values()].sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1))
}

/**
 * The expected slots of these runs, each once. A sharded run is expected to contain its own shards; slots of shards
 * without a run are expected under the name `(no run)`, so that a lost shard shows as missing. Of plans with arms only
 * the slots of one arm are the row's.
 */
export function buildPlannedSlots(runs: readonly PlannedRun[], arm?: string): PlannedSlot[] {
  return listPlannedSlots(runs, arm).sort(bySlot)
}

/** The same in any order. */
export function listPlannedSlots(runs: readonly PlannedRun[], arm?: string): PlannedSlot[] {
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

/** The slots of a plan that none of its runs is expected to contain. */
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

function bySlot(a: PlannedSlot, b: PlannedSlot): number {
  return (
    compareText(a.runId, b.runId) || compareText(a.taskId, b.taskId) || a.repetition - b.repetition
  )
}

/** The counted part of a set of attempts. */
type CountedFacts = {
  /** The last attempt of each slot of each run. */
  counted: EpisodeFact[]
  /** Counted episodes whose slot had an earlier attempt that was already scored. */
  retried: EpisodeFact[]
}

/** Keeps the final attempt of every slot, sorted by run, task and repetition, whatever the input order. */
export function buildCountedFacts(facts: readonly EpisodeFact[]): CountedFacts {
  const slots = new SlotMap<EpisodeFact[]>()
  for (const fact of facts) {
    const attempts = slots.get(fact)
    if (attempts) attempts.push(fact)
    else slots.set(fact, [fact])
  }
  const counted: EpisodeFact[] = []
  const retried: EpisodeFact[] = []
  for (const attempts of slots.values()) {
    if (attempts.length > 1) attempts.sort(byAttempt)
    const last = attempts.pop() as EpisodeFact
    counted.push(last)
    if (attempts.some((fact) => isScored(fact.status) && fact.episodeId !== last.episodeId))
      retried.push(last)
  }
  return { counted: counted.sort(bySlot), retried: retried.sort(bySlot) }
}

function byAttempt(a: EpisodeFact, b: EpisodeFact): number {
  return (
    a.attempt - b.attempt ||
    compareText(a.startedAt, b.startedAt) ||
    compareText(a.episodeId, b.episodeId)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A row's counted episodes and its expected slots. */
type Holding = { counted: EpisodeFact[]; planned: PlannedSlot[] }

/**
 * Applies top-ups: for each scored episode of a top-up, one slot of the same task that is missing, void or cancelled in
 * a topped-up run is no longer expected. Scored episodes are never replaced. The top-up of fewer runs goes first,
 * because a later one may also fill slots of other runs.
 */
function applyTopUps(
  counted: readonly EpisodeFact[],
  planned: readonly PlannedSlot[],
  runs: readonly PlannedRun[],
): Holding {
  const topUps = runs.filter((run) => run.plan.topUpOf).sort(byReach)
  const filled = new SlotMap<true>()
  const sound = new SlotMap<true>()
  for (const fact of topUps.length > 0 ? counted : [])
    if (isScored(fact.status)) sound.set(fact, true)
  for (const { runId, plan } of topUps) {
    const toppedUp = new Set(plan.topUpOf?.runIds)
    const added = counted.filter((fact) => fact.runId === runId && isScored(fact.status))
    for (const { taskId } of added) {
      const hole = planned.find(
        (slot) =>
          toppedUp.has(slot.runId) &&
          slot.taskId === taskId &&
          !sound.has(slot) &&
          !filled.has(slot),
      )
      if (hole) filled.set(hole, true)
    }
  }
  return {
    counted: counted.filter((fact) => !filled.has(fact)),
    planned: planned.filter((slot) => !filled.has(slot)),
  }
}

function byReach(a: PlannedRun, b: PlannedRun): number {
  const reach = ({ plan }: PlannedRun) => plan.topUpOf?.runIds.length ?? 0
  return reach(a) - reach(b) || (a.runId < b.runId ? -1 : 1)
}
