import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import { isShared } from '../../db/dialect.ts'
import { findEpisode } from '../../db/episode-store.ts'
import {
  copyRegradesOf,
  hasRegradeRequest,
  listRegrades,
  saveRegradeRequest,
} from '../../db/regrade-store.ts'
import { findRun, type RunRecord } from '../../db/run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import type { RegradeLine } from '../../domain/record/index.ts'
import { runsBrowser } from '../../domain/tasks/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { directoryOf } from '../evidence/disk-store.ts'
import { findOwnFiles } from '../evidence/own-files.ts'

type Request = { runId: string; episodeId: string | null }

/**
 * Queues a regrade of a run, or of one episode, for the worker. Throws an AppError with the reason, and queues nothing,
 * if that is not possible.
 */
export async function requestRegrade(
  { runId, episodeId }: Request,
  by: { actor: Actor; requestId: string | null },
  now = new Date(),
): Promise<void> {
  const db = database()
  const run = await findRun(db, runId)
  if (!run) throw new AppError('not-found', `No run ${runId} is stored here.`)
  const episode = episodeId === null ? null : await findEpisode(db, episodeId)
  if (episodeId !== null && episode?.episode.runId !== runId)
    throw new AppError('not-found', `Run ${runId} has no episode ${episodeId}.`)
  const refusal = await refuseRegrade(run, await hasRegradeRequest(db, runId))
  if (refusal !== null) throw new AppError('conflict', refusal)
  const { actor, requestId } = by
  const request = { runId, episodeId, requestedBy: actor.name, requestedAt: now }
  const record = { actor, requestId, action: 'run.regrade', target: runId, detail: { episodeId } }
  const work = inTransaction(db, async (tx) => {
    if (!(await saveRegradeRequest(tx, request)))
      throw new AppError('conflict', 'A regrade of this run is already queued.')
    await recordAudit(tx, record, now)
  })
  await withDatabaseErrors(() => work)
}

type RegradeFacts = {
  lines: RegradeLine[]
  isWaiting: boolean
  /** One sentence about why no regrade can be requested; null = possible. */
  refusal: string | null
}

/** Returns the regrades of a run, or of one of its episodes, and whether another can be requested. */
export async function describeRegrades(
  runId: string,
  episodeId: string | null,
): Promise<RegradeFacts> {
  const db = database()
  await copyRegradesOf(db, env().runsDir, runId)
  const lines = await listRegrades(db, runId)
  const isWaiting = await hasRegradeRequest(db, runId)
  const run = await findRun(db, runId)
  const own = lines.filter((line) => episodeId === null || line.episodeId === episodeId)
  return { lines: own, isWaiting, refusal: run && (await refuseRegrade(run, isWaiting)) }
}

/** Returns why a run cannot be regraded now; null = possible. */
async function refuseRegrade(run: RunRecord, isWaiting: boolean): Promise<string | null> {
  const suite = await findSuiteVersion(database(), run.plan.suiteDigest)
  if (runsBrowser(suite?.kind))
    return 'Browser workflows cannot be regraded, because the final state of the app is gone. Run it again instead.'
  if (!mayHaveFiles(run))
    return 'The files of this run are not in this data folder, so there is no solution to regrade.'
  return isWaiting ? 'A regrade of this run is already queued.' : null
}

/**
 * Returns whether the files may be on another host: with a shared database, a local run's files are on the host that
 * ran it.
 */
function mayHaveFiles({ runId, provenance }: RunRecord): boolean {
  return hasFilesOf(runId) || (provenance === 'local' && isShared(database()))
}

/** Returns whether this data folder has solutions of a run. */
export function hasFilesOf(runId: string): boolean {
  const folder = join(env().runsDir, runId)
  if (!existsSync(join(folder, 'plan.json'))) return false
  const isHere = findOwnFiles()
  return isHere === null || listAttempts(folder).some(isHere)
}

/** Lists the directories of the attempts in a run folder, relative to the data folder. */
function listAttempts(folder: string): string[] {
  const root = join(folder, 'episodes')
  return listFolders(root).flatMap((task) =>
    listFolders(task).map((attempt) => directoryOf(env().dataDir, attempt)),
  )
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}
