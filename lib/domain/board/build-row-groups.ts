import { judgeRegistration, POLICY, tightenPolicy } from '../eligibility/index.ts'
import { correctFacts, EMPTY_LEDGER } from '../ledger/index.ts'
import {
  compareText,
  type EpisodeFact,
  groupBy,
  groupByIdentity,
  identifyRow,
  isFrozen,
  joinLists,
  listMissing,
  senderOf,
  type Variants,
} from '../record/index.ts'
import { countRetriedVoids, countTasks } from '../statistics/index.ts'
import { familyOf } from '../tasks/index.ts'
import { applyTopUps, listUnsent } from './apply-top-ups.ts'
import type { RowTask } from './board-row.ts'
import type { EligibilityInput } from './build-board-input.ts'
import { type BareGroup, findCorrected, touchesAny } from './find-corrected.ts'
import { buildPlannedSlots, type PlannedRun } from './planned-slots.ts'
import type { RowGroup } from './row-group.ts'
import {
  mergeAmounts,
  type RunSummary,
  summariseCounted,
  summariseRun,
  summariseRuns,
} from './run-summary.ts'

/**
 * Groups the episodes of the suite's newest digest into rows: one subject under one set of settings from one sender,
 * with rows under planned faults (stress) kept separate. Other suite digests belong to the history.
 */
export function buildRowGroups(
  { suite, facts, runs, ledger = EMPTY_LEDGER, registrations, policy = POLICY }: EligibilityInput,
  summaries: readonly RunSummary[] = summariseRuns(facts),
): RowGroup[] {
  const { voidShare } = tightenPolicy(policy, suite.thresholds ?? {}).thresholds
  const families = familiesOf(suite.tasks)
  const own = summaries.filter(
    ({ first }) => first.suiteDigest === suite.digest && first.suiteId === suite.suiteId,
  )
  const runIds = new Set(own.map(({ runId }) => runId))
  const known = groupBy(
    runs.filter(({ runId }) => runIds.has(runId)),
    ({ runId }) => runId,
  )
  const group = (some: readonly RunSummary[]) =>
    groupSummaries(some).map((row) => rowGroup(row, known, { voidShare, families }))
  const touched = new Set(own.filter(({ members }) => touchesAny(members, ledger)))
  const corrected = own.flatMap((one) =>
    touched.has(one) ? summariseRuns(correctFacts(one.members, ledger)) : one,
  )
  // Grouped a second time only if a correction touches these episodes.
  const before = touched.size > 0 ? group(own) : []
  const rows = group(corrected).map((row) => {
    const { suiteDigest, subject, settings } = row.identity
    const request = { suiteDigest, subject, settings, facts: row.starts }
    const judged = registrations ? judgeRegistration(request, registrations) : null
    return { ...row, corrected: findCorrected(row, before, ledger), registration: judged }
  })
  return rows.sort((a, b) => (a.rowId < b.rowId ? -1 : 1))
}

/** One episode of each run and settings of a row, and the row's runs, sorted by id. */
type RowRuns = { variants: Variants; summaries: readonly RunSummary[] }

function groupSummaries(all: readonly RunSummary[]): RowRuns[] {
  const byFirst = new Map(all.map((one) => [one.first, one]))
  return groupByIdentity([...byFirst.keys()]).map((variants) => {
    const own = variants.flat().map((first) => byFirst.get(first) as RunSummary)
    const runs = groupBy(own, ({ runId }) => runId)
    // The episodes of one run may have several similar settings.
    const summaries = [...runs.values()].map((parts) =>
      parts.length === 1
        ? (parts[0] as RunSummary)
        : summariseRun(parts.flatMap(({ members }) => members)),
    )
    return { variants, summaries: summaries.sort((a, b) => compareText(a.runId, b.runId)) }
  })
}

/** The runs without counted episodes that a top-up replaced. */
function recount(runs: readonly RunSummary[], counted: readonly EpisodeFact[]): RunSummary[] {
  const left = groupBy(counted, ({ runId }) => runId)
  return runs.map((run) => ({ ...run, ...summariseCounted(left.get(run.runId) ?? []) }))
}

function rowGroup(
  { variants, summaries }: RowRuns,
  plannedRuns: ReadonlyMap<string, PlannedRun[]>,
  { voidShare, families }: { voidShare: number; families: Families },
): BareGroup {
  const members = joinLists(summaries.map((one) => one.members))
  const own = summaries.flatMap(({ runId }) => plannedRuns.get(runId) ?? [])
  const row = identifyRow(variants)
  const slots = buildPlannedSlots(own, row.identity.subject.arm)
  const attempts = joinLists(summaries.map((one) => one.counted))
  const { counted, planned, filled } = applyTopUps(attempts, slots, own)
  const runs = filled.length === 0 ? summaries : recount(summaries, counted)
  const kinds = joinLists(runs.map((one) => one.kinds))
  const unscored = joinLists(summaries.map((one) => one.unscored))
  const still = runs.flatMap((one) => one.countedUnscored)
  const replacedVoids = listReplaced(unscored, still, isLost)
  const unsent = listUnsent(filled, members)
  const sender = senderOf(members[0] as EpisodeFact)
  const cancelled = listReplaced(unscored, still, ({ status }) => status === 'cancelled')
  const endings = kinds.map(({ fact: { taskId, status }, episodes }) => ({
    taskId,
    status,
    episodes,
  }))
  const tallies = countRetriedVoids(countTasks(endings), [...replacedVoids, ...unsent]).map(
    (tally) => withFamily(tally, families),
  )
  return {
    ...row,
    sender,
    account: summaries.find(({ account }) => account !== null)?.account ?? null,
    members,
    starts: summaries.flatMap(({ starts }) => starts),
    counted,
    kinds,
    amounts: mergeAmounts(runs),
    missing: listMissing(counted, planned),
    usage: runs.flatMap((one) => one.usage),
    retried: summaries.flatMap(({ retried }) => retried),
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
