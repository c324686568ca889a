import type { KeptRun } from '#lib/db/results-store.ts'
import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import { digestJson } from '#lib/domain/digest.ts'
import type { IncomingEpisode, Refusal } from '#lib/domain/ingest/incoming-episode.ts'
import { type Judged, judgeIncoming } from '#lib/domain/ingest/judge-incoming.ts'
import type { Voucher } from '#lib/domain/voucher.ts'
import type { Inspected, InspectedRun } from './inspected.ts'

/** `isNew`: no such run is kept; `isEmpty`: nor any episode of it. */
export type DecidedRun = Judged & { run: InspectedRun; isNew: boolean; isEmpty: boolean }

/** What would be written, and everything that speaks against it. */
export type Decision = {
  runs: DecidedRun[]
  /** Kept episodes without evidence whose files came along now. */
  late: IncomingEpisode[]
  /** Of everything above: two equal decisions write the same. */
  digest: string
}

/** Who hands results in: how far that is vouched for, and by whom. */
export type ResultsSender = {
  provenance: Provenance
  voucher: Voucher | null
  /** Runs of this upload that are not kept, and that somebody else registered. */
  foreign: ReadonlySet<string>
}

/** Holds an upload against what is kept: a pure function, called once for the preview and again inside the commit. */
export function decideResults(
  inspected: Inspected,
  kept: ReadonlyMap<string, KeptRun>,
  sender: ResultsSender,
): Decision {
  const runs = inspected.runs.map((run) => decideRun(run, kept.get(run.runId), sender))
  const late = runs.flatMap(({ duplicates }) =>
    duplicates
      .filter((one) => one.kept.directory === null && inspected.files.has(one.episode.episodeId))
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
  const digest = digestJson({ written, refused, late: late.map(({ episodeId }) => episodeId) })
  return { runs, late, digest }
}

function decideRun(
  run: InspectedRun,
  kept: KeptRun | undefined,
  sender: ResultsSender,
): DecidedRun {
  const { maxAttempts } = run.plan.settings
  const judged = judgeIncoming(run.episodes, kept?.episodes ?? [], maxAttempts)
  if (!kept) return decideNew(run, judged, sender)
  const known = { run, isNew: false, isEmpty: kept.episodes.length === 0 }
  const message = findRunConflict(run, kept, sender, judged)
  if (message === null) return { ...judged, ...known }
  const conflict: Refusal = { path: `${run.path}runId`, message, episodeId: null }
  return { ...judged, fresh: [], conflicts: [conflict, ...judged.conflicts], ...known }
}

/** Whoever took a run's id before its sender could use it would keep that sender's plan unfinished for ever. */
function decideNew(run: InspectedRun, judged: Judged, { foreign }: ResultsSender): DecidedRun {
  const state = { run, isNew: true, isEmpty: true }
  if (!foreign.has(run.runId)) return { ...judged, ...state }
  const message = `${run.runId} was registered by another sender: only that sender can upload it`
  const conflict: Refusal = { path: `${run.path}runId`, message, episodeId: null }
  return { ...judged, fresh: [], conflicts: [conflict, ...judged.conflicts], ...state }
}

/** Why a known run takes nothing of this upload; null = it does, or there is nothing new for it. */
function findRunConflict(
  run: InspectedRun,
  kept: KeptRun,
  { provenance, voucher }: ResultsSender,
  { fresh }: Judged,
): string | null {
  const { runId } = run
  if (kept.planDigest !== run.plan.planDigest) return `${runId} is already stored with another plan`
  if (fresh.length === 0) return null
  if (kept.provenance !== provenance)
    return `${runId} is stored with provenance ${kept.provenance}: results with provenance ${provenance} cannot be added to it`
  // Whoever could add to a run of others could make a claim of theirs end, or end well.
  if (kept.voucher !== voucher)
    return `${runId} belongs to another sender: only that sender can add to it, so nothing was stored; send your own run`
  if (JSON.stringify(kept.shard) !== JSON.stringify(run.shard))
    return `${runId} is kept as ${sayShard(kept.shard)}, and this is ${sayShard(run.shard)}`
  return null
}

export function sayShard(shard: InspectedRun['shard']): string {
  return shard ? `part ${shard.index}/${shard.count} of its plan` : 'its whole plan'
}
