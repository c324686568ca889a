import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { listEpisodeCells } from '#lib/db/episode-store.ts'
import { findJobOfRun } from '#lib/db/job-store.ts'
import { findRegistrationOfRun } from '#lib/db/plan-store.ts'
import {
  changeShard,
  findRemoteRun,
  findRemoteRunByToken,
  type RemoteRun,
  type RemoteShard,
  type ShardChange,
} from '#lib/db/remote-run-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Digest } from '#lib/domain/digest/index.ts'
import {
  isShardOver,
  RUN_TOKEN,
  type ShardReply,
  type ShardReport,
  type ShardState,
  spendCapOfShard,
} from '#lib/domain/executors/index.ts'
import { expandPlan, isFrozen, type Plan, slotKey } from '#lib/domain/record/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { looksLikeIdentity, requireWorkflow } from '#lib/server/accounts/require-workflow.ts'
import { hashSecret } from '#lib/server/accounts/setup-links.ts'
import { readBearer } from '#lib/server/accounts/tokens.ts'
import type { RemoteLimits } from '#lib/server/ingest/remote-limits.ts'
import type { DbOrTx } from '../../db/db.ts'
import { requireExecutor } from './executors.ts'

const REFUSED =
  'This requires the token of this run in the header "Authorization: Bearer pbr_…". The token is missing, unknown, expired or revoked.'

/** A request that may report a run; `bind` compares its token's digest of the body with the received body. */
type AdmittedShard = { remote: RemoteRun; bind: (body: Digest) => void }

/**
 * Returns the only run that a request may report: by the token of that run, found by its hash so that no comparison
 * leaks timing, or by the identity of the workflow run that was started for it. Throws an AppError.
 */
export async function admitShard(
  headers: Headers,
  runId: string,
  now: Date,
): Promise<AdmittedShard> {
  const secret = readBearer(headers)
  if (looksLikeIdentity(secret)) return admitWorkflow(secret, runId, now)
  const remote = RUN_TOKEN.test(secret)
    ? await findRemoteRunByToken(database(), hashSecret(secret))
    : null
  // A workflow never receives the token of its run.
  if (!remote || !isOpen(remote, now) || remote.executor === 'github')
    throw new AppError('unauthorised', REFUSED)
  if (remote.runId === runId) return { remote, bind: () => {} }
  const message = `This token can only report ${remote.runId}: nothing was stored.`
  throw new AppError('forbidden', message)
}

function isOpen({ tokenRevokedAt, tokenExpiresAt }: RemoteRun, now: Date): boolean {
  return tokenRevokedAt === null && tokenExpiresAt > now
}

const SOON_MS = 5000

/**
 * Admits a workflow: a rule has to allow the repository, and the workflow run has to be the one that this server
 * started.
 */
async function admitWorkflow(token: string, runId: string, now: Date): Promise<AdmittedShard> {
  const { claims, digest } = await requireWorkflow(token, now)
  const remote = await findRemoteRun(database(), runId)
  if (remote?.executor !== 'github' || !isOpen(remote, now))
    throw new AppError(
      'unauthorised',
      `${runId} takes no reports of a workflow: nothing was stored.`,
    )
  if (remote.engineId === null) {
    const message = `It is not known yet which workflow run carries out ${runId}: send it again.`
    throw new AppError('too-many-requests', message, { retryAfterMs: SOON_MS })
  }
  const { repository } = requireExecutor('github').settings
  const isSameRepository = claims.repository.toLowerCase() === repository.toLowerCase()
  if (!isSameRepository || claims.run_id !== remote.engineId) {
    const which = `run ${remote.engineId} of ${repository}`
    throw new AppError('forbidden', `${runId} is reported by ${which} alone: nothing was stored.`)
  }
  const bind = (body: Digest) => {
    // Harmless when sent again: the token is bound to this body.
    if (digest === body) return
    const message = 'The identity token is not for this body. Nothing was stored.'
    throw new AppError('unauthorised', message)
  }
  return { remote, bind }
}

/** Returns the slots of one shard, by `slotKey`, and its plan. Throws an AppError when the run has no such shard. */
async function openShard(
  db: DbOrTx,
  remote: RemoteRun,
  number: number,
): Promise<{ part: RemoteShard; plan: Plan; slots: ReadonlySet<string> }> {
  const part = remote.parts.find((one) => one.number === number)
  if (!part) {
    const message = `${remote.runId} has ${countOf(remote.shards, 'shard')}, and no number ${number}: nothing was stored.`
    throw new AppError('invalid-request', message)
  }
  const run = await findRun(db, remote.runId)
  if (!run || !isFrozen(run.plan)) throw new AppError('not-found', `${remote.runId} has no plan.`)
  const shard = { index: number, count: remote.shards }
  return { part, plan: run.plan, slots: new Set(expandPlan(run.plan, shard).map(slotKey)) }
}

/** Throws for a replaced attempt: its results would mix with those of the newer one. */
function requireCurrentTry(part: RemoteShard, made: number): void {
  if (part.tries === made) return
  const message = `Try ${made} of shard ${part.number} was replaced by try ${part.tries}: nothing was stored, end this one.`
  throw new AppError('conflict', message)
}

/** Stores the report of a shard and returns whether it continues. Throws an AppError. */
export async function reportShard(
  remote: RemoteRun,
  report: ShardReport,
  now: Date,
): Promise<ShardReply> {
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const fresh = (await findRemoteRun(tx, remote.runId)) ?? remote
      const opened = await openShard(tx, fresh, report.shard)
      const stopped = await findStop(tx, fresh, opened.part)
      if (report.event === 'started')
        return stopped === null
          ? start(tx, { ...opened, remote: fresh, host: report.host }, now)
          : stop(stopped)
      requireCurrentTry(opened.part, report.try)
      if (report.event === 'done' && report.leftOut === null)
        await requireStored(tx, fresh.runId, opened.slots)
      const { from, ...change } = changeOf(report, opened.part, now)
      await changeShard(tx, { runId: fresh.runId, number: report.shard, from }, change)
      return respond(report, stopped)
    }),
  )
}

type LaterReport = Exclude<ShardReport, { event: 'started' }>

/** Returns the change of a report, and the shard states it applies to. */
function changeOf(
  report: LaterReport,
  { planned }: RemoteShard,
  now: Date,
): ShardChange & { from: ShardState[] } {
  const reportedAt = now
  if (report.event === 'done')
    return {
      from: ['running', 'failed'],
      state: 'done',
      reason: report.leftOut,
      journal: [],
      reportedAt,
      endedAt: now,
    }
  if (report.event === 'failed')
    return { from: ['running'], state: 'failed', reason: report.reason, reportedAt }
  const { sealed, journal } = report
  const progress = { sealed: Math.min(sealed, planned), reportedAt }
  return { from: ['running'], ...progress, ...(journal && { journal }) }
}

function respond({ event, shard }: LaterReport, stopped: string | null): ShardReply {
  if (event === 'done') return stop(`Shard ${shard} is done.`)
  if (event === 'failed') return stop(`Noted: shard ${shard} failed.`)
  return stopped === null ? { state: 'go', summary: 'Noted.', work: null } : stop(stopped)
}

function stop(summary: string): ShardReply {
  return { state: 'stop', summary, work: null }
}

/** Returns why a shard has to stop; null = it continues. */
async function findStop(
  tx: DbOrTx,
  { runId }: RemoteRun,
  { state, number }: RemoteShard,
): Promise<string | null> {
  if (state === 'done') return `Shard ${number} is done already: nothing is run again.`
  if (isShardOver(state)) return `Shard ${number} is ${state.replace('-', ' ')}.`
  const job = await findJobOfRun(tx, runId)
  if (job && job.cancelRequestedAt !== null) return `${runId} was cancelled.`
  return null
}

type Start = { remote: RemoteRun; part: RemoteShard; plan: Plan; host: string }

async function start(
  tx: DbOrTx,
  { remote, part, plan, host }: Start,
  now: Date,
): Promise<ShardReply> {
  const { runId, shards } = remote
  const tries = part.tries + 1
  const times = { startedAt: part.startedAt ?? now, reportedAt: now, endedAt: null }
  const change = { state: 'running', tries, host, reason: null, ...times } as const
  await changeShard(tx, { runId, number: part.number }, change)
  const job = await findJobOfRun(tx, runId)
  const { concurrency = 1, spendCapMicroUsd = null } = job?.payload ?? {}
  const cells = await listEpisodeCells(tx, { runId })
  const registered = await findRegistrationOfRun(tx, runId)
  return {
    state: 'go',
    summary: `Try ${tries} of shard ${part.number} of ${shards}.`,
    work: {
      try: tries,
      shards,
      plan,
      concurrency,
      journal: part.journal,
      spendCapMicroUsd: spendCapOfShard(spendCapMicroUsd, shards),
      hasEpisodes: cells.length > 0,
      ...(registered && { registration: registered.hash }),
    },
  }
}

/** Returns the limits for results of one try of a shard. Throws an AppError. */
export async function limitsOfTry(
  remote: RemoteRun,
  { shard, made }: { shard: number; made: number },
): Promise<RemoteLimits> {
  const { runId } = remote
  const { part, slots } = await openShard(database(), remote, shard)
  requireCurrentTry(part, made)
  const recheck = async (tx: DbOrTx) => {
    const now = (await findRemoteRun(tx, runId)) ?? remote
    // The launch ended while the body arrived: its run is sealed, and would have episodes that no seal covers.
    if (now.tokenRevokedAt !== null) throw new AppError('unauthorised', REFUSED)
    requireCurrentTry(now.parts.find(({ number }) => number === shard) ?? part, made)
  }
  return { runId, slots, recheck }
}

async function requireStored(tx: DbOrTx, runId: string, slots: ReadonlySet<string>): Promise<void> {
  const stored = new Set((await listEpisodeCells(tx, { runId })).map(slotKey))
  const missing = [...slots].filter((slot) => !stored.has(slot)).length
  if (missing === 0) return
  const message = `${missing} of the ${countOf(slots.size, 'episode')} of this shard are not stored: send them before the shard is done.`
  throw new AppError('conflict', message)
}
