import { judgeRegistration } from '../eligibility/index.ts'
import { correctFacts, EMPTY_LEDGER } from '../ledger/index.ts'
import {
  type EpisodeFact,
  filterInParts,
  groupBy,
  groupByIdentity,
  identifyRow,
  inParts,
  isFrozen,
  isScored,
  joinParts,
  listParts,
  mergeNeighbours,
  mergeParts,
  type PlannedSlot,
  SlotMap,
  senderOf,
  type Variants,
} from '../record/index.ts'
import { countRetriedVoids, countTasks } from '../statistics/index.ts'
import type { EligibilityInput } from './build-board-input.ts'
import {
  buildPlannedSlots,
  bySlot,
  compareText,
  indexRuns,
  type PlannedRun,
} from './planned-slots.ts'
import type { RowGroup, RunStart } from './row-group.ts'

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
  // A list that a caller owns may grow; parts never do.
  const given = listParts(facts)[0] === facts ? [...facts] : facts
  const all = joinParts(listRuns(correctFacts(given, ledger)).flatMap(([, parts]) => parts))
  const version = `${suite.digest} ${suite.suiteId}`
  const own = joinParts(ofVersion(all, version))
  const known = indexRuns(runs)
  const rows = groupByIdentity(own).map((variants) => {
    const row = rowGroup(variants, known)
    const { suiteDigest, subject, settings } = row.identity
    const asked = { suiteDigest, subject, settings, facts: row.starts }
    return { ...row, registration: registrations ? judgeRegistration(asked, registrations) : null }
  })
  return rows.sort((a, b) => (a.rowId < b.rowId ? -1 : 1))
}

/** The episodes of each run: all that is found of a row is found run by run. */
function listRuns(facts: readonly EpisodeFact[]): [string, (readonly EpisodeFact[])[]][] {
  const runs = new Map<string, (readonly EpisodeFact[])[]>()
  for (const [runId, part] of splitRuns(facts).flat()) {
    const known = runs.get(runId)
    if (known) known.push(part)
    else runs.set(runId, [part])
  }
  return [...runs]
}

const splitRuns = inParts((part: readonly EpisodeFact[]) => {
  const runs = new Map<string, EpisodeFact[]>()
  for (const fact of part) {
    const known = runs.get(fact.runId)
    if (known) known.push(fact)
    else runs.set(fact.runId, [fact])
  }
  return [...runs].map(([runId, own]) => [runId, runs.size === 1 ? part : own] as const)
})

/** A part without anything else stays as it is. */
const ofVersion = inParts(
  (part: readonly EpisodeFact[], version: string): readonly EpisodeFact[] => {
    const isOwn = (fact: EpisodeFact) => `${fact.suiteDigest} ${fact.suiteId}` === version
    return part.every(isOwn) ? part : part.filter(isOwn)
  },
)

function rowGroup(
  variants: Variants,
  runs: ReadonlyMap<string, PlannedRun[]>,
): Omit<RowGroup, 'registration'> {
  // A run with episodes of two variants is one part, as it is for a single variant.
  const byRun = listRuns(joinParts(variants.flatMap(listParts)))
  byRun.sort(([a], [b]) => compareText(a, b))
  const members = joinParts(
    mergeNeighbours(
      byRun.map(([, parts]) => mergeParts(parts)),
      ({ runId }) => runId,
    ),
  )
  const own = byRun.flatMap(([runId]) => runs.get(runId) ?? [])
  const attempts = joinCounted(members)
  const { retried } = attempts
  const row = identifyRow(variants)
  const slots = buildPlannedSlots(own, row.identity.subject.arm)
  const { counted, planned } = applyTopUps(attempts.counted, slots, own)
  const replacedVoids = listReplacedVoids(members, counted)
  return {
    ...row,
    sender: senderOf(members[0] as EpisodeFact),
    members,
    starts: listStarts(members),
    counted,
    retried,
    replacedVoids,
    tallies: countRetriedVoids(countTasks(counted), replacedVoids),
    planned,
    runs: own,
    plans: new Map(own.flatMap(({ runId, plan }) => (isFrozen(plan) ? [[runId, plan]] : []))),
  }
}

function listStarts(members: readonly EpisodeFact[]): RunStart[] {
  return findStarts(members).flat()
}

/** Every run is in one part. */
const findStarts = inParts((members: readonly EpisodeFact[]): RunStart[] => {
  const starts = new Map<string, RunStart>()
  for (const { runId, planDigest, startedAt } of members) {
    const key = `${runId} ${planDigest}`
    const known = starts.get(key)
    const isFirst =
      !known ||
      (startedAt !== known.startedAt && Date.parse(startedAt) < Date.parse(known.startedAt))
    if (isFirst) starts.set(key, { runId, planDigest, startedAt })
  }
  return [...starts.values()]
})

/** Reporting failures as cancelled gives a sender no more attempts than reporting them as void. */
function isLost(fact: EpisodeFact): boolean {
  return fact.status === 'void' || (fact.status === 'cancelled' && senderOf(fact) !== null)
}

const lostOf = filterInParts(isLost)

/** Void attempts stay recorded, so that a retry cannot hide a failure. */
function listReplacedVoids(
  members: readonly EpisodeFact[],
  counted: readonly EpisodeFact[],
): EpisodeFact[] {
  const lost = lostOf(members)
  if (lost.length === 0) return []
  const still = new Set(lostOf(counted).map(({ episodeId }) => episodeId))
  const replaced = new Map(
    lost.filter(({ episodeId }) => !still.has(episodeId)).map((fact) => [fact.episodeId, fact]),
  )
  return [...replaced.values()].sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1))
}

/** The counted part of a set of attempts. */
type CountedFacts = {
  /** The last attempt of each slot of each run. */
  counted: readonly EpisodeFact[]
  /** Counted episodes whose slot had an earlier attempt that was already scored. */
  retried: readonly EpisodeFact[]
}

/** The same part by part; every run is in one part of `members`, in the order of their ids. */
function joinCounted(members: readonly EpisodeFact[]): CountedFacts {
  const found = countEachPart(members)
  return {
    counted: joinParts(found.map(({ counted }) => counted)),
    retried: joinParts(found.map(({ retried }) => retried)),
  }
}

const countEachPart = inParts(buildCountedFacts)

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

/** A row's counted episodes and its expected slots. */
type Holding = { counted: readonly EpisodeFact[]; planned: readonly PlannedSlot[] }

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
  if (topUps.length === 0) return { counted, planned }
  const filled = new SlotMap<true>()
  const sound = counted.filter(({ status }) => isScored(status))
  const scored = groupBy(sound, ({ runId }) => runId)
  const holes = groupBy(listHoles(planned, sound), ({ taskId }) => taskId)
  for (const { runId, plan } of topUps) {
    const toppedUp = new Set(plan.topUpOf?.runIds)
    for (const { taskId } of scored.get(runId) ?? []) {
      const open = holes.get(taskId) ?? []
      const at = open.findIndex((slot) => toppedUp.has(slot.runId))
      const [hole] = at === -1 ? [] : open.splice(at, 1)
      if (hole) filled.set(hole, true)
    }
  }
  return {
    counted: leaveOut(counted, filled),
    planned: leaveOut(planned, filled),
  }
}

function listHoles(planned: readonly PlannedSlot[], sound: readonly EpisodeFact[]): PlannedSlot[] {
  const filled = new SlotMap<true>()
  for (const fact of sound) filled.set(fact, true)
  return planned.filter((slot) => !filled.has(slot))
}

/** A part from which nothing is left out stays what it is. */
function leaveOut<T extends PlannedSlot>(list: readonly T[], filled: SlotMap<true>): readonly T[] {
  const parts = listParts(list).map((part) =>
    part.some((slot) => filled.has(slot)) ? part.filter((slot) => !filled.has(slot)) : part,
  )
  return joinParts(parts)
}

function byReach(a: PlannedRun, b: PlannedRun): number {
  const reach = ({ plan }: PlannedRun) => plan.topUpOf?.runIds.length ?? 0
  return reach(a) - reach(b) || (a.runId < b.runId ? -1 : 1)
}
