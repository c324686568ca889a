import { lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listAllBoards } from '../../db/board-store.ts'
import { type Db, database } from '../../db/database.ts'
import {
  type EvidencePage,
  listAllPruned,
  listUnendedRuns,
  pageEvidence,
  savePruned,
} from '../../db/pruned-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import type { Flaw } from '../../domain/archive/index.ts'
import { isClaim } from '../../domain/compare/index.ts'
import type { DiskState } from '../../domain/reports/index.ts'
import {
  type Chosen,
  choosePrunable,
  isPrunable,
  type PruneCandidate,
  type RetentionRules,
} from '../../domain/runs/index.ts'
import { env } from '../../env.ts'
import { isProcessAlive } from '../../worker/is-process-alive.ts'
import { measurePlain } from './backup-folders.ts'
import { measuredDiskState } from './disk-state.ts'

/** Retention, started from the console. */
export function pruneNow(dryRun: boolean, now = new Date()): Promise<RetentionPlan> {
  if (dryRun) return planRetention(database(), now)
  return applyRetention(database(), { kind: 'console', id: null, name: 'console' }, now)
}

export function checkStoredEvidence(): Promise<EvidenceCheck> {
  return verifyEvidence(database())
}

/** Lines of one transaction. */
const PART = 500

/**
 * Removes the chosen files from the disk. Each removal is recorded first, so a missing file is always explained, and
 * files that a dying process left behind are removed the next time.
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
    await remove(part.map(({ path }) => path))
  }
  await remove(plan.leftOver)
  return plan
}

async function remove(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(join(env().dataDir, path), { force: true })
}

const DAY_MS = 86_400_000
/** Down to this share of the quota, so that not every new log prunes another. */
const KEPT_SHARE = 0.9

type RetentionPlan = {
  chosen: Chosen[]
  /** Recorded as pruned but still there: a process died in between. */
  leftOver: string[]
  disk: DiskState
}

/** What retention would take off the disk now, by this server's settings. Changes nothing. */
async function planRetention(db: Db, now: Date): Promise<RetentionPlan> {
  const disk = await measuredDiskState(now)
  const rules = rulesFor(disk, now)
  const pruned = await listAllPruned(db)
  const leftOver: string[] = []
  for (const path of pruned.keys()) if (await sizeOf(path)) leftOver.push(path)
  if (rules.before === null && rules.quota === null) return { chosen: [], leftOver, disk }
  const candidates = await listCandidates(db, new Set(pruned.keys()))
  return { chosen: choosePrunable(candidates, rules), leftOver, disk }
}

function rulesFor({ data }: DiskState, now: Date): RetentionRules {
  const { keepLogsDays: days, logQuotaBytes } = env()
  const used = data?.runs ?? 0
  const before = days && { days, instant: new Date(now.getTime() - days * DAY_MS).toISOString() }
  const isOver = logQuotaBytes !== null && used >= logQuotaBytes
  const words = `${((logQuotaBytes ?? 0) / 1e9).toFixed(3).replace(/\.?0+$/, '')} GB`
  const quota = isOver ? { toFree: used - KEPT_SHARE * logQuotaBytes, words } : null
  return { before: before || null, quota }
}

async function listCandidates(db: Db, pruned: ReadonlySet<string>): Promise<PruneCandidate[]> {
  const isHeld = rememberHeld(await listUnendedRuns(db))
  const claimed = new Set(
    (await listAllBoards(db)).flatMap(({ board }) =>
      board.rows.flatMap((row) => (isClaim(row.label) ? row.runIds : [])),
    ),
  )
  const candidates: PruneCandidate[] = []
  for await (const page of pageEvidence(db)) {
    for (const episode of page) {
      if (await isHeld(episode.runId)) continue
      candidates.push(...(await listFiles(episode, pruned, claimed.has(episode.runId))))
    }
  }
  return candidates
}

async function listFiles(
  { episodeId, runId, directory, startedAt, evidence }: EvidencePage[number],
  pruned: ReadonlySet<string>,
  isClaimed: boolean,
): Promise<PruneCandidate[]> {
  const files: PruneCandidate[] = []
  for (const file of evidence.filter(isPrunable)) {
    const path = `${directory}/${file.path}`
    const bytes = pruned.has(path) ? 0 : await sizeOf(path)
    if (bytes > 0) files.push({ path, runId, episodeId, bytes, startedAt, isClaimed })
  }
  return files
}

/** Whether a run is active, queried once per run. */
function rememberHeld(unended: ReadonlySet<string>): (runId: string) => Promise<boolean> {
  const known = new Map<string, boolean>()
  return async (runId) => {
    const held = known.get(runId) ?? (unended.has(runId) || (await isRunning(runId)))
    known.set(runId, held)
    return held
  }
}

/** A runner that was started by hand works in the folder. */
async function isRunning(runId: string): Promise<boolean> {
  const file = join(env().runsDir, runId, 'runner.pid')
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  return pid > 0 && isProcessAlive(pid)
}

/** 0 = there is no regular file. */
async function sizeOf(path: string): Promise<number> {
  const found = await lstat(join(env().dataDir, path)).catch(() => null)
  return found?.isFile() ? found.size : 0
}

type EvidenceCheck = { whole: number; pruned: number; problems: Flaw[] }

/** Compares every evidence file with the digest that its envelope sealed: intact, pruned and recorded, or a problem. */
async function verifyEvidence(db: Db): Promise<EvidenceCheck> {
  const pruned = await listAllPruned(db)
  const check: EvidenceCheck = { whole: 0, pruned: 0, problems: [] }
  for await (const page of pageEvidence(db)) {
    for (const { directory, evidence } of page) {
      for (const { path, digest } of evidence) {
        const place = `${directory}/${path}`
        const found = await judge(place, digest, pruned.has(place))
        if (found === 'whole' || found === 'pruned') check[found]++
        else check.problems.push({ place, problem: found })
      }
    }
  }
  return check
}

async function judge(place: string, digest: string, isPruned: boolean): Promise<string> {
  const found = await measurePlain(join(env().dataDir, place))
  if (found?.digest === digest) return 'whole'
  if (found) return 'is not what was sealed'
  return isPruned ? 'pruned' : 'is missing, and retention did not take it'
}
