import { judgeRegistration, POLICY, type RunStart, tightenPolicy } from '../eligibility/index.ts'
import { correctFacts, EMPTY_LEDGER } from '../ledger/index.ts'
import {
  type EpisodeFact,
  groupBy,
  groupByIdentity,
  identifyRow,
  isFrozen,
  isScored,
  SlotMap,
  senderOf,
  type Variants,
} from '../record/index.ts'
import { countRetriedVoids, countTasks } from '../statistics/index.ts'
import { familyOf } from '../tasks/index.ts'
import { applyTopUps, listUnsent } from './apply-top-ups.ts'
import type { RowTask } from './board-row.ts'
import type { EligibilityInput } from './build-board-input.ts'
import { runIdsOf } from './build-looks.ts'
import { type BareGroup, findCorrected, touchesAny } from './find-corrected.ts'
import { buildPlannedSlots, bySlot, compareText, type PlannedRun } from './planned-slots.ts'
import type { RowGroup } from './row-group.ts'

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
  policy = POLICY,
}: EligibilityInput): RowGroup[] {
  const { voidShare } = tightenPolicy(policy, suite.thresholds ?? {}).thresholds
  const families = familiesOf(suite.tasks)
  const own = facts.filter(
    ({ suiteDigest, suiteId }) => suiteDigest === suite.digest && suiteId === suite.suiteId,
  )
  const runIds = new Set(runIdsOf(own))
  const known = groupBy(
    runs.filter(({ runId }) => runIds.has(runId)),
    ({ runId }) => runId,
  )
  const group = (some: readonly EpisodeFact[]) =>
    groupByIdentity(some).map((variants) => rowGroup(variants, known, { voidShare, families }))
  // Grouped a second time only if a correction touches these episodes.
  const before = touchesAny(own, ledger) ? group(own) : []
  const rows = group(correctFacts(own, ledger)).map((row) => {
    const { suiteDigest, subject, settings } = row.identity
    const asked = { suiteDigest, subject, settings, facts: row.starts }
    const judged = registrations ? judgeRegistration(asked, registrations) : null
    return { ...row, corrected: findCorrected(row, before, ledger), registration: judged }
  })
  return rows.sort((a, b) => (a.rowId < b.rowId ? -1 : 1))
}

function rowGroup(
  variants: Variants,
  runs: ReadonlyMap<string, PlannedRun[]>,
  { voidShare, families }: { voidShare: number; families: Families },
): BareGroup {
  const members = variants.flat().sort((a, b) => compareText(a.runId, b.runId))
  const own = runIdsOf(members).flatMap((runId) => runs.get(runId) ?? [])
  const attempts = buildCountedFacts(members)
  const { retried } = attempts
  const row = identifyRow(variants)
  const slots = buildPlannedSlots(own, row.identity.subject.arm)
  const { counted, planned, filled } = applyTopUps(attempts.counted, slots, own)
  const replacedVoids = listReplaced(members, counted, isLost)
  const unsent = listUnsent(filled, members)
  const sender = senderOf(members[0] as EpisodeFact)
  const cancelled = listReplaced(members, counted, ({ status }) => status === 'cancelled')
  const tallies = countRetriedVoids(countTasks(counted), [...replacedVoids, ...unsent]).map(
    (tally) => withFamily(tally, families),
  )
  return {
    ...row,
    sender,
    account: members.find(({ account }) => account !== undefined)?.account ?? null,
    members,
    starts: listStarts(members),
    counted,
    retried,
    replacedVoids,
    unsent,
    cancelled,
    // Cancelled attempts of other senders are excluded already.
    tallies: sender === null ? countCancelled(tallies, cancelled, voidShare) : tallies,
    planned,
    stopped: [],
    runs: own,
    plans: new Map(own.flatMap(({ runId, plan }) => (isFrozen(plan) ? [[runId, plan]] : []))),
  }
}

type Families = ReadonlyMap<string, string>

function familiesOf(tasks: EligibilityInput['suite']['tasks']): Families {
  return new Map(
    tasks.flatMap((task): [string, string][] => {
      const family = familyOf(task)
      return family === undefined ? [] : [[task.taskId, family]]
    }),
  )
}

function withFamily(tally: RowTask, families: Families): RowTask {
  const family = families.get(tally.taskId)
  return family === undefined ? tally : { ...tally, family }
}

/** Returns the first start of each run, and its earliest end for each list of registrations that episodes name. */
function listStarts(members: readonly EpisodeFact[]): RunStart[] {
  const runs = groupBy(
    members,
    ({ runId, planDigest }) => `${runId} ${planDigest}`,
    (a, b) => a.runId === b.runId && a.planDigest === b.planDigest,
  )
  return [...runs.values()].map((own) => {
    const { runId, planDigest, startedAt } = own[0] as EpisodeFact
    const first = { startedAt, at: Date.parse(startedAt) }
    const ends = new Map<string, NonNullable<RunStart['ends']>[number]>()
    for (const { startedAt, totalMs, registrations = [] } of own) {
      const at = Date.parse(startedAt)
      if (at < first.at) Object.assign(first, { startedAt, at })
      if (totalMs === null) continue
      const key = registrations.join()
      const end = { at: at + totalMs, registrations }
      if (end.at < (ends.get(key)?.at ?? Infinity)) ends.set(key, end)
    }
    return { runId, planDigest, startedAt: first.startedAt, ends: [...ends.values()] }
  })
}

/** Reporting failures as cancelled gives a sender no more attempts than reporting them as void. */
function isLost(fact: EpisodeFact): boolean {
  return fact.status === 'void' || (fact.status === 'cancelled' && senderOf(fact) !== null)
}

/** Retried and replaced attempts stay recorded, so that a retry cannot hide a failure. */
function listReplaced(
  members: readonly EpisodeFact[],
  counted: readonly EpisodeFact[],
  isOne: (fact: EpisodeFact) => boolean,
): EpisodeFact[] {
  const lost = members.filter(isOne)
  if (lost.length === 0) return []
  const still = new Set(counted.filter(isOne).map(({ episodeId }) => episodeId))
  const replaced = new Map(
    lost.filter(({ episodeId }) => !still.has(episodeId)).map((fact) => [fact.episodeId, fact]),
  )
  return [...replaced.values()].sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1))
}

/**
 * Counts cancelled attempts of this server, which were visible when they were stopped. Up to the limit they are
 * interpreted against each verdict, like excluded ones; above it each counts as a failure.
 */
function countCancelled(
  tallies: RowTask[],
  cancelled: readonly EpisodeFact[],
  limit: number,
): RowTask[] {
  if (cancelled.length === 0) return tallies
  const scored = tallies.reduce((sum, tally) => sum + tally.scored, 0)
  const isAbove = cancelled.length > limit * (scored + cancelled.length)
  return tallies.map((tally) => {
    const own = cancelled.filter(({ taskId }) => taskId === tally.taskId).length
    if (own === 0) return tally
    if (isAbove) return { ...tally, scored: tally.scored + own }
    return { ...tally, retriedVoids: (tally.retriedVoids ?? 0) + own }
  })
}

/** The counted part of a set of attempts. */
type CountedFacts = {
  /** The last attempt of each slot of each run. */
  counted: readonly EpisodeFact[]
  /** Counted episodes whose slot had an earlier attempt that was already scored. */
  retried: readonly EpisodeFact[]
}

/** Keeps the final attempt of every slot, sorted by run, task and repetition, whatever the input order. */
export function buildCountedFacts(facts: readonly EpisodeFact[]): CountedFacts {
  const slots = new SlotMap<EpisodeFact>()
  /** Attempts of the few slots that have more than one. */
  const repeated = new SlotMap<EpisodeFact[]>()
  for (const fact of facts) {
    const known = slots.get(fact)
    const attempts = repeated.get(fact)
    if (attempts) attempts.push(fact)
    else if (known) repeated.set(fact, [known, fact])
    else slots.set(fact, fact)
  }
  const retried: EpisodeFact[] = []
  for (const attempts of repeated.values()) {
    const last = attempts.sort(byAttempt).pop() as EpisodeFact
    slots.set(last, last)
    if (attempts.some((fact) => isScored(fact.status) && fact.episodeId !== last.episodeId))
      retried.push(last)
  }
  const counted = slots.values()
  return { counted: counted.sort(bySlot), retried: retried.sort(bySlot) }
}

function byAttempt(a: EpisodeFact, b: EpisodeFact): number {
  return (
    a.attempt - b.attempt ||
    compareText(a.startedAt, b.startedAt) ||
    compareText(a.episodeId, b.episodeId)
  )
}
