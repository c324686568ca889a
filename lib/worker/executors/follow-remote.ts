import { setTimeout as pause } from 'node:timers/promises'
import { countOf } from '#lib/domain/text/index.ts'
import type { Db } from '../../db/db.ts'
import type { JobEnding } from '../../db/job-lease.ts'
import {
  changeShard,
  endLaunch,
  findRemoteRun,
  type RemoteShard,
  type ShardChange,
} from '../../db/remote-run-store.ts'
import { isShardOver, type RemoteManifest, type ShardState } from '../../domain/executors/index.ts'
import type { Plan } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type Engine, EngineFailure, type EngineLook, type EngineShard } from './engine.ts'

export type RemoteJob = {
  runId: string
  plan: Plan
  manifest: RemoteManifest
  engine: Engine
  pollMs: number
  /** Fires when cancellation of the run is requested. */
  cancelled: AbortSignal
}

const log = createLog('remote')
/** Time for shards to store what they finished after the executor was asked to stop. */
const MAX_STOP_MS = 120_000
/** Consecutive failed polls that are tolerated, for example while an API server is updated. */
const MAX_BLIND_LOOKS = 60
/** Polls after the executor's end, because results may still be being stored. */
const SETTLE_LOOKS = 3

/** Polls the executor until nothing of the run is left, and returns how it ended. Throws an EngineFailure. */
export async function followRemote(
  job: RemoteJob,
  engineId: string,
  context: WorkerContext,
): Promise<JobEnding> {
  const watch = new EngineWatch(job, engineId)
  for (let settled = 0; ; ) {
    const isLate = await watch.stopIfAsked()
    const look = await watch.look()
    const areDone = look !== null && (await noteLook(job, look, context))
    settled = look?.isOver ? settled + 1 : 0
    if (isLate || settled > (areDone ? 0 : SETTLE_LOOKS))
      return end(job, { engineId, reason: look?.reason ?? null }, context)
    await pause(job.pollMs, undefined, { signal: context.signal })
  }
}

/** Returns whether no shard changes any more; requests boards where results may have arrived. */
async function noteLook(
  job: RemoteJob,
  look: EngineLook,
  context: WorkerContext,
): Promise<boolean> {
  const parts = await note(job, look, context)
  if (parts.some(({ state, sealed }) => state === 'running' || sealed > 0))
    context.boards.request(job.plan.suiteId)
  return parts.every((part) => isShardOver(part.state))
}

class EngineWatch {
  readonly #job: RemoteJob
  readonly #engineId: string
  #blind = 0
  #stopAt: number | null = null

  constructor(job: RemoteJob, engineId: string) {
    this.#job = job
    this.#engineId = engineId
  }

  /** Cancels at the executor once requested; true = its grace period has passed since. */
  async stopIfAsked(): Promise<boolean> {
    if (!this.#job.cancelled.aborted) return false
    if (this.#stopAt === null) {
      this.#stopAt = performance.now() + MAX_STOP_MS
      await this.#job.engine.cancel(this.#engineId)
    }
    return performance.now() > this.#stopAt
  }

  /** Null = the executor does not respond now. */
  async look(): Promise<EngineLook | null> {
    try {
      const look = await this.#job.engine.look(this.#engineId)
      this.#blind = 0
      return look
    } catch (error) {
      if (!(error instanceof EngineFailure) || ++this.#blind >= MAX_BLIND_LOOKS) throw error
      const { runId } = this.#job
      log.warn('the engine could not be asked', { runId, reason: error.message })
      return null
    }
  }
}

/** Records what only the executor knows of each shard: where it waits, and that it is not retried. */
async function note(
  { runId }: RemoteJob,
  { shards }: EngineLook,
  { db }: WorkerContext,
): Promise<RemoteShard[]> {
  const known = await findRemoteRun(db, runId)
  if (!known) throw new AppError('not-found', `${runId} is no longer stored`)
  for (const shard of shards) {
    const part = known.parts.find((one) => one.number === shard.number)
    const change = part && changeOf(part, shard)
    // Only from the observed state: the shard may report at the same moment.
    if (change) await changeShard(db, { runId, number: part.number, from: [part.state] }, change)
  }
  return (await findRemoteRun(db, runId))?.parts ?? []
}

/** Returns the change that an executor's state implies. A process that succeeded reports its own end. */
function changeOf(part: RemoteShard, { state, host, reason }: EngineShard): ShardChange | null {
  if (isShardOver(part.state)) return null
  if (state === 'given-up')
    return { state, reason: part.reason ?? reason, endedAt: new Date(), ...(host && { host }) }
  if (state === 'failed' && part.state !== 'failed') return { state, ...(reason && { reason }) }
  // The executor has requeued it.
  if (state === 'waiting' && part.state === 'running') return { state: 'failed' }
  if (part.state !== 'waiting' || (host === part.host && reason === part.reason)) return null
  return { host, reason }
}

type Ended = { engineId: string; reason: string | null }

async function end(
  job: RemoteJob,
  { engineId, reason }: Ended,
  { db, boards }: WorkerContext,
): Promise<JobEnding> {
  const { runId, engine, cancelled, plan, manifest } = job
  const now = new Date()
  await closeShards(job, { reason, now }, db)
  await endLaunch(db, runId, now)
  await engine
    .clean(engineId)
    .catch((error: Error) =>
      log.warn('something stayed behind at the engine', { runId, reason: error.message }),
    )
  boards.request(plan.suiteId)
  if (cancelled.aborted) return { status: 'cancelled', now }
  const why = describeLoss((await findRemoteRun(db, runId))?.parts ?? [], manifest.shards)
  return { status: why === null ? 'done' : 'failed', reason: why, now }
}

/** Closes every shard that is not over, with the last message of the shard, the executor or this follower. */
export async function closeShards(
  { runId, cancelled }: RemoteJob,
  { reason, now }: { reason: string | null; now: Date },
  db: Db,
): Promise<void> {
  const open = (await findRemoteRun(db, runId))?.parts.filter(({ state }) => !isShardOver(state))
  const state: ShardState = cancelled.aborted ? 'cancelled' : 'given-up'
  for (const part of open ?? []) {
    const why = part.reason ?? reason ?? (cancelled.aborted ? null : SILENT)
    await changeShard(db, { runId, number: part.number }, { state, reason: why, endedAt: now })
  }
}

const SILENT = 'its process ended and did not say that it is done'

/** Describes why an ended run did not run its whole plan; null = it did. */
function describeLoss(parts: readonly RemoteShard[], shards: number): string | null {
  const lost = parts.filter(({ state }) => state === 'given-up')
  const leftOut = parts.find(({ state, reason }) => state === 'done' && reason !== null)
  if (lost.length === 0) return leftOut?.reason ?? null
  const numbers = lost.map(({ number }) => number)
  const which =
    lost.length === 1
      ? `shard ${numbers[0]} of ${shards} was`
      : `${lost.length} of ${countOf(shards, 'shard was', 'shards were')}`
  const why = lost[0]?.reason ? `: ${lost[0].reason}` : ''
  return `${which} given up${why}`
}
