import { countSlots, expandPlan } from '#lib/domain/expand-plan.ts'
import type { IncomingEpisode } from '#lib/domain/ingest/incoming-episode.ts'
import {
  type ItemKind,
  MOST_ITEMS,
  type PreviewItem,
  type PreviewRun,
  type UploadPreview,
} from '#lib/domain/ingest/upload-preview.ts'
import { subjectLabel } from '#lib/domain/subject.ts'
import type { DecidedRun, Decision } from './decide-results.ts'
import type { Inspected, InspectedRun } from './inspected.ts'

type Counts = UploadPreview['counts']

/** A decision in the words of a page: counts of everything, details of the first of each kind. */
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

/** What is shown when an upload could not even be read. */
export function unreadablePreview(problem: string): UploadPreview {
  return {
    format: 'unknown',
    problem,
    counts: { new: 0, duplicate: 0, conflict: 0, rejected: 0 },
    runs: [],
    items: [],
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
    ...duplicates.map(({ episode }) => toItem('duplicate', episode)),
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
    planned: shard ? expandPlan(plan, shard).length : countSlots(plan),
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
  if (suite === 'told')
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
  return items.filter(({ kind }) => taken[kind]++ < MOST_ITEMS)
}
