import { listAllBoards } from '../../db/board-store.ts'
import { type Db, database } from '../../db/database.ts'
import {
  type EvidencePage,
  listAllPruned,
  listUnendedRuns,
  pageEvidence,
  savePruned,
} from '../../db/pruned-store.ts'
import { type Actor, CONSOLE_ACTOR } from '../../domain/accounts/index.ts'
import { isClaim } from '../../domain/compare/index.ts'
import type { Digest } from '../../domain/digest/index.ts'
import type { DiskState } from '../../domain/reports/index.ts'
import {
  type Chosen,
  choosePrunable,
  isPrunable,
  type PruneCandidate,
  type RetentionRules,
} from '../../domain/runs/index.ts'
import { formatBytes } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { evidenceStore } from '../evidence/configured-store.ts'
import { type EvidenceRef, type EvidenceStore, evidenceRef } from '../evidence/evidence-store.ts'
import { measuredDiskState } from './disk-state.ts'
import { eachFile } from './evidence-care.ts'
import { rememberHeld } from './held-runs.ts'

/** Applies retention from the console. */
export function pruneNow(dryRun: boolean, now = new Date()): Promise<RetentionPlan> {
  if (dryRun) return planRetention(database(), now)
  return applyRetention(database(), CONSOLE_ACTOR, now)
}

/** Audit lines per transaction. */
const PART = 500

/**
 * Removes the selected files from the disk. Each removal is recorded first, so that a missing file is always explained,
 * and files left by a killed process are removed the next time.
 */
export async function applyRetention(db: Db, actor: Actor, now: Date): Promise<RetentionPlan> {
  const plan = await planRetention(db, now)
  for (let start = 0; start < plan.chosen.length; start += PART) {
    const part = plan.chosen.slice(start, start + PART)
    const bytes = part.reduce((sum, file) => sum + file.bytes, 0)
    const runs = [...new Set(part.map(({ runId }) => runId))]
    const detail = { files: part.length, bytes, runs: runs.slice(0, 50) }
    const audit = { actor, action: 'retention.prune', target: null, detail }
    await savePruned(db, part, audit, now)
    await remove(
      db,
      part.map(({ ref }) => ref),
    )
  }
  await remove(db, plan.leftOver)
  return plan
}

/** Removes files, except those that other evidence with the same bytes still names, since they may be one object. */
async function remove(db: Db, refs: readonly EvidenceRef[]): Promise<void> {
  const store = evidenceStore()
  const shared = new Set<Digest>()
  if (store.kind === 's3' && refs.length > 0) {
    const going = new Set(refs.map(({ digest }) => digest))
    const pruned = await listAllPruned(db)
    for await (const { place, ref } of eachFile(db))
      if (ref && going.has(ref.digest) && !pruned.has(place)) shared.add(ref.digest)
  }
  await store.delete(refs, shared)
}

const DAY_MS = 86_400_000
/** Target share of the quota, so that not every new log prunes another. */
const TARGET_SHARE = 0.9

type Candidate = PruneCandidate & { ref: EvidenceRef }
type RetentionPlan = {
  chosen: (Candidate & Chosen)[]
  /** Recorded as pruned but still there: a process died in between. */
  leftOver: EvidenceRef[]
  disk: DiskState
}

/** Lists what retention would remove now with this server's settings. Changes nothing. */
async function planRetention(db: Db, now: Date): Promise<RetentionPlan> {
  const disk = await measuredDiskState(now)
  const rules = rulesFor(disk, now)
  const pruned = await listAllPruned(db)
  const hasRules = rules.before !== null || rules.quota !== null
  const looksThrough = hasRules || pruned.size > 0
  const { candidates, leftOver } = looksThrough ? await listCandidates(db, pruned) : NONE
  return { chosen: hasRules ? choosePrunable(candidates, rules) : [], leftOver, disk }
}

function rulesFor({ data }: DiskState, now: Date): RetentionRules {
  const { keepLogsDays: days, logQuotaBytes } = env()
  const used = data?.runs ?? 0
  const before = days && { days, instant: new Date(now.getTime() - days * DAY_MS).toISOString() }
  const isOver = logQuotaBytes !== null && used >= logQuotaBytes
  const quota = isOver
    ? { toFree: used - TARGET_SHARE * logQuotaBytes, words: formatBytes(logQuotaBytes) }
    : null
  return { before: before || null, quota }
}

type Found = { candidates: Candidate[]; leftOver: EvidenceRef[] }
const NONE: Found = { candidates: [], leftOver: [] }

async function listCandidates(db: Db, pruned: ReadonlyMap<string, unknown>): Promise<Found> {
  const isHeld = rememberHeld(await listUnendedRuns(db))
  const claimed = new Set(
    (await listAllBoards(db)).flatMap(({ board }) =>
      board.rows.flatMap((row) => (isClaim(row.label) ? row.runIds : [])),
    ),
  )
  const sizeOf = await evidenceStore().sizes()
  const candidates: Candidate[] = []
  const leftOver: EvidenceRef[] = []
  for await (const page of pageEvidence(db)) {
    for (const episode of page) {
      const files = await listFiles(episode, { sizeOf, isClaimed: claimed.has(episode.runId) })
      leftOver.push(...files.filter(({ path }) => pruned.has(path)).map(({ ref }) => ref))
      if (await isHeld(episode.runId)) continue
      candidates.push(...files.filter(({ path }) => !pruned.has(path)))
    }
  }
  return { candidates, leftOver }
}

type SizeLookUp = Awaited<ReturnType<EvidenceStore['sizes']>>

/** Lists existing files that may be pruned. */
async function listFiles(
  { episodeId, runId, directory, startedAt, evidence }: EvidencePage[number],
  { sizeOf, isClaimed }: { sizeOf: SizeLookUp; isClaimed: boolean },
): Promise<Candidate[]> {
  const files: Candidate[] = []
  for (const file of evidence.filter(isPrunable)) {
    const ref = evidenceRef(directory, file)
    const bytes = (ref && (await sizeOf(ref))) ?? 0
    if (ref && bytes > 0)
      files.push({ path: ref.place, runId, episodeId, bytes, startedAt, isClaimed, ref })
  }
  return files
}
