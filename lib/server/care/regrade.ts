import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { findEpisode } from '../../db/episode-store.ts'
import { findRun, type RunRecord } from '../../db/run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { parseRegradeLines, REGRADES_FILE, type RegradeLine } from '../../domain/record/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'

type Request = { runId: string; episodeId: string | null }

/**
 * Asks the worker to regrade a run, or one episode of it. Throws an AppError that says why it cannot be done; then
 * nothing was asked.
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
  const refusal = await refuseRegrade(run, hasOrder(runId))
  if (refusal !== null) throw new AppError('conflict', refusal)
  const { actor, requestId } = by
  const order = { runId, episodeId, requestedBy: actor.name, at: now.toISOString() }
  if (!leaveOrder(order)) throw new AppError('conflict', 'A regrade of this run is already queued.')
  const detail = { episodeId }
  await recordAudit(db, { actor, requestId, action: 'run.regrade', target: runId, detail }, now)
}

type RegradeFacts = {
  lines: RegradeLine[]
  isWaiting: boolean
  /** Why no regrade can be asked for, in a sentence; null = it can. */
  refusal: string | null
}

/** What was regraded of a run, or of one episode of it, and whether it can be done again. */
export async function describeRegrades(
  runId: string,
  episodeId: string | null,
): Promise<RegradeFacts> {
  const lines = await listRegrades(runId)
  const isWaiting = hasOrder(runId)
  const run = await findRun(database(), runId)
  const own = lines.filter((line) => episodeId === null || line.episodeId === episodeId)
  return { lines: own, isWaiting, refusal: run && (await refuseRegrade(run, isWaiting)) }
}

/** Why a run cannot be regraded now; null = it can. */
async function refuseRegrade(run: RunRecord, isWaiting: boolean): Promise<string | null> {
  const suite = await findSuiteVersion(database(), run.plan.suiteDigest)
  if (suite?.kind === 'browser')
    return 'Browser workflows cannot be regraded, because the final state of the app is gone. Run it again instead.'
  if (!existsSync(join(env().runsDir, run.runId, 'plan.json')))
    return 'The files of this run are not stored here, so there is no solution to regrade.'
  return isWaiting ? 'A regrade of this run is already queued.' : null
}

const RUN_ID = /^run_[0-9a-z]{1,60}$/
const MOST_BYTES = 20_000_000

/** What a run's regrades found, oldest first; none where its folder is not here. */
export async function listRegrades(runId: string): Promise<RegradeLine[]> {
  if (!RUN_ID.test(runId)) return []
  const file = join(env().runsDir, runId, REGRADES_FILE)
  const found = await stat(file).catch(() => null)
  if (!found?.isFile() || found.size > MOST_BYTES) return []
  return parseRegradeLines(await readFile(file, 'utf8'))
}

/** The newest regrade of each episode that does not agree with what was sealed. */
export function listDisagreeing(lines: readonly RegradeLine[]): RegradeLine[] {
  const last = new Map(lines.map((line) => [line.episodeId, line]))
  return [...last.values()].filter((line) => !line.agrees)
}

const orderSchema = z.object({
  runId: z.string().regex(/^run_[0-9a-z]{8,40}$/),
  /** Null = every episode of the run. */
  episodeId: z
    .string()
    .regex(/^ep_[0-9a-f]{32}$/)
    .nullable(),
  requestedBy: z.string().max(300),
  at: z.iso.datetime(),
})
export type RegradeRequest = z.infer<typeof orderSchema>

/** Leaves an order for the worker, one for a run at a time; false = one waits already. It outlives every process. */
function leaveOrder(order: RegradeRequest): boolean {
  const folder = ordersFolder()
  mkdirSync(folder, { recursive: true })
  const file = orderFile(order.runId)
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify(orderSchema.parse(order)), { flush: true })
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

/** The oldest order that waits; null = none. One that cannot be read is thrown away. */
export function nextRegradeRequest(): RegradeRequest | null {
  const orders = names().flatMap((name) => {
    const order = readOrder(join(ordersFolder(), name))
    if (!order) rmSync(join(ordersFolder(), name), { force: true })
    return order ?? []
  })
  return orders.sort((a, b) => (a.at < b.at ? -1 : 1))[0] ?? null
}

function hasOrder(runId: string): boolean {
  return existsSync(orderFile(runId))
}

/** It was done, or cannot be. */
export function removeRegradeRequest(runId: string): void {
  rmSync(orderFile(runId), { force: true })
}

function readOrder(file: string): RegradeRequest | null {
  try {
    return orderSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}

function names(): string[] {
  const folder = ordersFolder()
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
}

function ordersFolder(): string {
  return join(env().dataDir, 'regrades')
}

function orderFile(runId: string): string {
  return join(ordersFolder(), `${runId}.json`)
}
