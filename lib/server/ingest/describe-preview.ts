import type { StoredRun } from '../../db/results-store.ts'
import {
  type ItemKind,
  MAX_ITEMS,
  type PreviewItem,
  type PreviewRun,
  type UploadPreview,
} from '../../domain/api/index.ts'
import { digestJson } from '../../domain/digest/index.ts'
import {
  type IncomingEpisode,
  type IncomingRefusal,
  type JudgedIncoming,
  judgeIncoming,
} from '../../domain/formats/index.ts'
import { isSameSender, type Voucher } from '../../domain/ledger/index.ts'
import { countRunSlots, type Provenance, subjectLabel } from '../../domain/record/index.ts'
import { leaveOutRest } from './compare-records.ts'
import type { Inspected, InspectedRun, LeftOut } from './format.ts'

type Counts = UploadPreview['counts']

/** Describes a decision for a page: counts of everything, details of the first of each kind. */
export function describePreview(inspected: Inspected, decision: Decision): UploadPreview {
  const items = listItems(inspected, decision)
  const counts = countKinds(items)
  const fresh = decision.runs.flatMap((run) => run.fresh)
  return {
    format: inspected.format,
    problem: counts.new + counts.duplicate + counts.conflict + counts.rejected === 0 ? EMPTY : null,
    counts,
    runs: decision.runs.map((run) => describeRun(run, inspected)),
    items: firstOfEach(items),
    leftOut: listLeftOut(inspected, decision),
    evidence: {
      ...inspected.evidence,
      matched: fresh.reduce((sum, { evidence }) => sum + evidence.matched, 0),
      missing: fresh.reduce((sum, { evidence }) => sum + evidence.missing, 0),
      added: decision.late.reduce((sum, { evidence }) => sum + evidence.matched, 0),
    },
    digest: decision.digest,
  }
}

const EMPTY = 'the upload contains no episodes'

function listLeftOut({ leftOut }: Inspected, { runs }: Decision): UploadPreview['leftOut'] {
  const all = [...leftOut, ...runs.flatMap((run) => run.leftOut)]
  return { count: all.length, runs: all.slice(0, MAX_ITEMS) }
}

/** Returns the preview of an upload that could not be read. */
export function unreadablePreview(problem: string): UploadPreview {
  return {
    format: 'unknown',
    problem,
    counts: { new: 0, duplicate: 0, conflict: 0, rejected: 0 },
    runs: [],
    items: [],
    leftOut: { count: 0, runs: [] },
    evidence: { matched: 0, missing: 0, wrong: 0, extra: 0, added: 0 },
    digest: '',
  }
}

function listItems(inspected: Inspected, decision: Decision): PreviewItem[] {
  const rejected = inspected.rejected.map(({ path, message, runId, episodeId }) => {
    return { ...NOTHING, kind: 'rejected' as const, path, message, runId, episodeId }
  })
  return [...rejected, ...decision.runs.flatMap(listRunItems)]
}

const NOTHING = { episodeId: null, runId: null, slot: null, outcome: null, message: null }

function listRunItems({ run, fresh, duplicates, conflicts, flawed }: DecidedRun): PreviewItem[] {
  const { runId } = run
  return [
    ...flawed.map((flaw) => ({ ...NOTHING, kind: 'rejected' as const, runId, ...flaw })),
    ...conflicts.map((conflict) => ({ ...NOTHING, kind: 'conflict' as const, runId, ...conflict })),
    ...fresh.map((episode) => toItem('new', episode)),
    ...duplicates.map(({ episode, kept: { episodeId } }) =>
      toItem('duplicate', { ...episode, episodeId }),
    ),
  ]
}

function toItem(kind: ItemKind, episode: IncomingEpisode): PreviewItem {
  const { path, episodeId, runId, taskId, repetition, attempt, status } = episode
  const { missing, matched } = episode.evidence
  const isPartial = kind === 'new' && matched > 0 && missing > 0
  return {
    kind,
    path,
    episodeId,
    runId,
    slot: `${taskId}, repetition ${repetition}, attempt ${attempt}`,
    outcome: status,
    message: isPartial ? `${missing} of its evidence files are missing` : null,
  }
}

function describeRun(decided: DecidedRun, { rejected }: Inspected): PreviewRun {
  const { run, isNew, conflicts, flawed, fresh, duplicates } = decided
  const { runId, plan, shard } = run
  const refused = rejected.filter((one) => one.runId === runId).length + flawed.length
  const isRefused = conflicts.length + refused > 0
  return {
    runId,
    planDigest: plan.planDigest,
    suiteId: plan.suiteId,
    subject: subjectLabel(plan.subject),
    planned: countRunSlots(plan, shard),
    shard: shard && `${shard.index}/${shard.count}`,
    state: isRefused ? 'refused' : isNew ? 'new' : 'known',
    suite: run.suite,
    counts: {
      new: fresh.length,
      duplicate: duplicates.length,
      conflict: conflicts.length,
      rejected: refused,
    },
    notes: listNotes(run),
  }
}

function listNotes(run: InspectedRun): string[] {
  const { suite, plan, hasOwnPlan } = run
  const notes: string[] = []
  if (suite === 'unknown')
    notes.push(
      `Suite ${plan.suiteId} is unknown in this version: the run gets a page, but no leaderboard entry until this server has that version.`,
    )
  if (suite === 'reported')
    notes.push(
      `The tasks were reported by another program and get their own leaderboard, ${plan.suiteId}.`,
    )
  if (suite === 'earlier')
    notes.push(
      `It ran an earlier version of ${plan.suiteId}: its entry is on the leaderboard of that version.`,
    )
  if (!hasOwnPlan) notes.push('The upload has no plan: the stored plan is used.')
  return [...notes, ...run.notes]
}

function countKinds(items: readonly PreviewItem[]): Counts {
  const counts: Counts = { new: 0, duplicate: 0, conflict: 0, rejected: 0 }
  for (const { kind } of items) counts[kind]++
  return counts
}

function firstOfEach(items: readonly PreviewItem[]): PreviewItem[] {
  const taken: Counts = { new: 0, duplicate: 0, conflict: 0, rejected: 0 }
  return items.filter(({ kind }) => taken[kind]++ < MAX_ITEMS)
}

/** `isNew`: no such run is stored; `isEmpty`: nor any episode of it. */
type DecidedRun = JudgedIncoming & {
  run: InspectedRun
  isNew: boolean
  isEmpty: boolean
  leftOut: readonly LeftOut[]
}

/** Everything to write, and all obstacles. */
export type Decision = {
  runs: DecidedRun[]
  /** Stored episodes whose evidence is uploaded only now. */
  late: IncomingEpisode[]
  /** Digest of everything above: two equal decisions write the same. */
  digest: string
}

/** Sender of results, and how far it is vouched for. */
type ResultsSender = {
  provenance: Provenance
  voucher: Voucher | null
  /** The sender's account; undefined = none is known. */
  account: string | undefined
  /** Runs of this upload that are not stored, and that another sender registered. */
  foreign: ReadonlySet<string>
}

/** Compares an upload with what is stored: a pure function, called for the preview and again inside the commit. */
export function decideResults(
  inspected: Inspected,
  kept: ReadonlyMap<string, StoredRun>,
  sender: ResultsSender,
): Decision {
  const runs = inspected.runs.map((run) => decideRun(run, kept.get(run.runId), sender))
  const late = runs.flatMap(({ duplicates }) =>
    duplicates
      .filter(({ episode, kept: { seal, directory } }) => {
        const isThis = seal === episode.seal
        return isThis && directory === null && inspected.files.has(episode.episodeId)
      })
      .map(({ episode }) => episode),
  )
  const written = runs.map(({ run, isNew, fresh, duplicates, conflicts, flawed }) => ({
    runId: run.runId,
    planDigest: run.plan.planDigest,
    isNew,
    fresh: fresh.map(({ episodeId, seal }) => [episodeId, seal]),
    duplicates: duplicates.length,
    conflicts: conflicts.map(({ path, message }) => [path, message]),
    flawed: flawed.map(({ path, message }) => [path, message]),
  }))
  const refused = inspected.rejected.map(({ path, message }) => [path, message])
  const leftOut = [...inspected.leftOut, ...runs.flatMap((run) => run.leftOut)]
  const digest = digestJson({
    written,
    refused,
    late: late.map(({ episodeId }) => episodeId),
    ...(leftOut.length > 0 && { leftOut }),
  })
  return { runs, late, digest }
}

function decideRun(
  run: InspectedRun,
  kept: StoredRun | undefined,
  sender: ResultsSender,
): DecidedRun {
  const { maxAttempts } = run.plan.settings
  const judged = judgeIncoming(run.episodes, kept?.episodes ?? [], maxAttempts)
  if (!kept) return decideNew(run, judged, sender)
  const known = { run, isNew: false, isEmpty: kept.episodes.length === 0, leftOut: [] }
  if (isAnotherRecord(run, kept, judged)) {
    const more = judged.fresh.length
    const leftOut = more > 0 ? [leaveOutRest(more, run, kept.episodes.length)] : []
    return { ...judged, ...known, fresh: [], leftOut }
  }
  const message = findRunConflict(run, kept, sender, judged)
  if (message === null) return { ...judged, ...known }
  const conflict: IncomingRefusal = { path: `${run.path}runId`, message, episodeId: null }
  return { ...judged, fresh: [], conflicts: [conflict, ...judged.conflicts], ...known }
}

/** Returns whether it is the same run in another record, whose plan differs because it contains more or less. */
function isAnotherRecord(
  { plan, episodes }: InspectedRun,
  kept: StoredRun,
  { duplicates, conflicts }: JudgedIncoming,
): boolean {
  const isCompared = [...episodes, ...kept.episodes].every(({ facts }) => facts)
  const isMet = duplicates.length + conflicts.length > 0
  return isCompared && isMet && plan.planDigest !== kept.planDigest
}

/**
 * Decides about a new run: a sender who used another's run id first would keep that sender's plan unfinished for ever.
 */
function decideNew(
  run: InspectedRun,
  judged: JudgedIncoming,
  { foreign }: ResultsSender,
): DecidedRun {
  const state = { run, isNew: true, isEmpty: true, leftOut: [] }
  if (!foreign.has(run.runId)) return { ...judged, ...state }
  const message = `${run.runId} was registered by another sender: only that sender can upload it`
  const conflict: IncomingRefusal = { path: `${run.path}runId`, message, episodeId: null }
  return { ...judged, fresh: [], conflicts: [conflict, ...judged.conflicts], ...state }
}

/** Returns why a known run accepts nothing of this upload; null = it does, or there is nothing new. */
function findRunConflict(
  run: InspectedRun,
  kept: StoredRun,
  { provenance, voucher, account }: ResultsSender,
  { fresh }: JudgedIncoming,
): string | null {
  const { runId } = run
  if (kept.planDigest !== run.plan.planDigest) return `${runId} is already stored with another plan`
  if (fresh.length === 0) return null
  if (kept.provenance !== provenance)
    return `${runId} is stored with provenance ${kept.provenance}: results with provenance ${provenance} cannot be added to it`
  // A sender who could add to another's run could end that run's claim, or improve it.
  if (!isSameSender(kept, { voucher, account }))
    return `${runId} belongs to another sender: only that sender can add to it, so nothing was stored; send your own run`
  if (JSON.stringify(kept.shard) !== JSON.stringify(run.shard))
    return `${runId} is stored as ${formatShard(kept.shard)}, and this is ${formatShard(run.shard)}`
  return null
}

function formatShard(shard: InspectedRun['shard']): string {
  return shard ? `part ${shard.index}/${shard.count} of its plan` : 'its whole plan'
}
