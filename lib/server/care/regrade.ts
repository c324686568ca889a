import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { findEpisode } from '../../db/episode-store.ts'
import { listRegrades } from '../../db/regrade-store.ts'
import { findRun, type RunRecord } from '../../db/run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import type { RegradeLine } from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'

type Request = { runId: string; episodeId: string | null }

/**
 * Queues a regrade of a run, or of one episode, for the worker. Throws an AppError with the reason if that is not
 * possible; then nothing is queued.
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
  const refusal = await refuseRegrade(run, hasRequest(runId))
  if (refusal !== null) throw new AppError('conflict', refusal)
  const { actor, requestId } = by
  const request = { runId, episodeId, requestedBy: actor.name, at: now.toISOString() }
  if (!writeRequest(request))
    throw new AppError('conflict', 'A regrade of this run is already queued.')
  const detail = { episodeId }
  await recordAudit(db, { actor, requestId, action: 'run.regrade', target: runId, detail }, now)
}

type RegradeFacts = {
  lines: RegradeLine[]
  isWaiting: boolean
  /** Why no regrade can be requested, in a sentence; null = possible. */
  refusal: string | null
}

/** The regrades of a run, or of one of its episodes, and whether another can be requested. */
export async function describeRegrades(
  runId: string,
  episodeId: string | null,
): Promise<RegradeFacts> {
  const lines = listRegrades(env().runsDir, runId)
  const isWaiting = hasRequest(runId)
  const run = await findRun(database(), runId)
  const own = lines.filter((line) => episodeId === null || line.episodeId === episodeId)
  return { lines: own, isWaiting, refusal: run && (await refuseRegrade(run, isWaiting)) }
}

/** Why a run cannot be regraded now; null = possible. */
async function refuseRegrade(run: RunRecord, isWaiting: boolean): Promise<string | null> {
  const suite = await findSuiteVersion(database(), run.plan.suiteDigest)
  if (suite?.kind === 'browser')
    return 'Browser workflows cannot be regraded, because the final state of the app is gone. Run it again instead.'
  if (!existsSync(join(env().runsDir, run.runId, 'plan.json')))
    return 'The files of this run are not stored here, so there is no solution to regrade.'
  return isWaiting ? 'A regrade of this run is already queued.' : null
}

const requestSchema = z.object({
  runId: z.string().regex(/^run_[0-9a-z]{8,40}$/),
  /** Null = every episode of the run. */
  episodeId: z
    .string()
    .regex(/^ep_[0-9a-f]{32}$/)
    .nullable(),
  requestedBy: z.string().max(300),
  at: z.iso.datetime(),
})
export type RegradeRequest = z.infer<typeof requestSchema>

/** Writes a request for the worker, one per run at a time; false = one is already queued. It survives restarts. */
function writeRequest(request: RegradeRequest): boolean {
  const folder = requestsFolder()
  mkdirSync(folder, { recursive: true })
  const file = requestFile(request.runId)
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify(requestSchema.parse(request)), { flush: true })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The oldest queued request; null = none. An unreadable one is deleted. */
export function nextRegradeRequest(): RegradeRequest | null {
  const requests = names().flatMap((name) => {
    const request = readRequest(join(requestsFolder(), name))
    if (!request) rmSync(join(requestsFolder(), name), { force: true })
    return request ?? []
  })
  return requests.sort((a, b) => (a.at < b.at ? -1 : 1))[0] ?? null
}

function hasRequest(runId: string): boolean {
  return existsSync(requestFile(runId))
}

/** Removes a request that is finished or impossible. */
export function removeRegradeRequest(runId: string): void {
  rmSync(requestFile(runId), { force: true })
}

function readRequest(file: string): RegradeRequest | null {
  try {
    return requestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

function names(): string[] {
  const folder = requestsFolder()
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

function requestsFolder(): string {
  return join(env().dataDir, 'regrades')
}

function requestFile(runId: string): string {
  return join(requestsFolder(), `${runId}.json`)
}
