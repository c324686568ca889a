import { countUsedSlots, findWait, type QueueLimits } from '../domain/runs/index.ts'
import { readClock } from './database.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import {
  findCancelledQueued,
  findFirstQueued,
  findFirstRemote,
  type Job,
  listRunningClaims,
  toJob,
} from './job-store.ts'
import { inTransaction } from './transaction.ts'

type Claim = {
  owner: string
  leaseMs: number
  newRunId: string
  limits?: QueueLimits
}

const UNLIMITED: QueueLimits = { concurrency: Number.POSITIVE_INFINITY, providers: new Map() }

/**
 * Claims the first queued job that fits beside the running ones; null = none does. Reading and claiming are one
 * transaction, so exactly one of several workers gets it, and together they keep the limits. The claim is dated within
 * it, because a worker may have waited for slots that another job released meanwhile.
 */
export async function claimJob(db: Db, claim: Claim): Promise<Job | null> {
  const { limits = UNLIMITED } = claim
  return withDatabaseErrors(async () => {
    // Checks without the write lock first: usually there is nothing to claim.
    if ((await findNext(db, limits)) === null) return null
    return inTransaction(db, async (tx) => {
      const id = await findNext(tx, limits)
      return id === null ? null : takeJob(tx, id, claim)
    })
  })
}

/**
 * Finds the job that `planQueue` would start, without reading the whole queue: the first job either starts, or blocks
 * all other local jobs, or exhausts its provider for those behind it.
 */
async function findNext(db: DbOrTx, limits: QueueLimits): Promise<string | null> {
  const cancelled = await findCancelledQueued(db)
  if (cancelled !== null) return cancelled
  const closed = new Set<string>()
  for (let used: ReturnType<typeof countUsedSlots> | null = null; ; ) {
    const job = await findFirstQueued(db, [...closed])
    if (job === null) return null
    used ??= countUsedSlots(await listRunningClaims(db), limits)
    const wait = findWait(job, used, limits)
    if (wait === null) return job.jobId
    if (wait.kind === 'machine') return findFirstRemote(db)
    closed.add(wait.provider)
  }
}

async function takeJob(tx: DbOrTx, id: string, { owner, leaseMs, newRunId }: Claim): Promise<Job> {
  const now = await readClock(tx)
  const { startedAt, newRunId: earlier } = await tx.job.findUniqueOrThrow({ where: { id } })
  const row = await tx.job.update({
    where: { id },
    data: {
      status: 'running',
      leaseOwner: owner,
      leaseUntil: new Date(now.getTime() + leaseMs),
      startedAt: startedAt ?? now,
      newRunId: earlier ?? newRunId,
    },
  })
  return toJob(row)
}

type Held = { jobId: string; owner: string }

/** Extends a lease. False = another worker has it, so this one has to stop. */
export async function renewLease(db: Db, held: Held, until: Date): Promise<boolean> {
  const data = { leaseUntil: until }
  const { count } = await db.job.updateMany({ where: whereHeld(held), data })
  return count === 1
}

/** Resets the failure count after progress. Saved at once, in case the worker dies in this attempt. */
export async function forgetJobTries(db: Db, jobId: string): Promise<void> {
  await db.job.updateMany({ where: { id: jobId, status: 'running' }, data: { tries: 0 } })
}

/** Records why a running job is paused; null = it continues. The reason of a cancellation is not overwritten. */
export async function notePause(db: Db, jobId: string, pause: string | null): Promise<void> {
  const where = { id: jobId, status: 'running', cancelRequestedAt: null }
  await db.job.updateMany({ where, data: { reason: pause } })
}

export type JobEnding =
  | { status: 'done' | 'failed'; reason: string | null; now: Date }
  /** The reason was stored when the cancellation was requested. */
  | { status: 'cancelled'; now: Date }
  | { status: 'queued'; tries: number }

/**
 * Releases a job that ended or goes back into the queue. False = this worker no longer held it. A cancellation that
 * came too late finds the job done; a requeued job stays marked for cancellation, and the next claim ends it.
 */
export async function releaseJob(db: Db, held: Held, ending: JobEnding): Promise<boolean> {
  const data = { status: ending.status, leaseOwner: null, leaseUntil: null, ...describeEnd(ending) }
  const { count } = await withDatabaseErrors(async () =>
    db.job.updateMany({ where: whereHeld(held), data }),
  )
  return count === 1
}

/**
 * Requeues jobs whose worker is gone: its lease expired by the clock that all hosts share, or `isGone` reports that its
 * process has ended. The run folder stays, so that the next claim continues from it. Recovery counts as an attempt of a
 * job that runs on the worker's machine, since the job may be what kills its workers; any episode resets the count.
 * `working` lists the jobs of the calling process, which are not started twice when their lease was renewed too late.
 */
export async function recoverJobs(
  db: Db,
  now: Date,
  isGone: (worker: { pid: number; hostId: string | null }) => boolean,
  working: Iterable<string> = [],
): Promise<number> {
  const where = { status: 'running', id: { notIn: [...working] } }
  const running = await db.job.findMany({ where })
  const workers = new Map((await db.worker.findMany()).map((worker) => [worker.id, worker]))
  let recovered = 0
  for (const { id, leaseOwner, leaseUntil, concurrency } of running) {
    const worker = leaseOwner === null ? undefined : workers.get(leaseOwner)
    const held = leaseUntil !== null && leaseUntil > now && !(worker && isGone(worker))
    if (held) continue
    const seen = { id, status: 'running', leaseOwner, leaseUntil }
    const tries = { increment: concurrency === 0 ? 0 : 1 }
    const data = { status: 'queued', leaseOwner: null, leaseUntil: null, tries }
    recovered += (await db.job.updateMany({ where: seen, data })).count
  }
  return recovered
}

/** Returns the columns of an ended job. A cancelled job keeps who requested it and when; other endings clear that. */
function describeEnd(ending: JobEnding) {
  if (ending.status === 'queued') return { tries: ending.tries }
  const endedAt = ending.now
  if (ending.status === 'cancelled') return { endedAt }
  return { endedAt, reason: ending.reason, cancelRequestedAt: null }
}

function whereHeld({ jobId, owner }: Held) {
  return { id: jobId, status: 'running', leaseOwner: owner }
}

const DAY_MS = 86_400_000

/** Records that this worker is alive. */
export async function saveHeartbeat(
  db: Db,
  worker: { id: string; pid: number; hostId?: string },
  now: Date,
): Promise<void> {
  const { id } = worker
  const create = { ...worker, startedAt: now, heartbeatAt: now }
  await db.worker.upsert({ where: { id }, create, update: { heartbeatAt: now } })
}

/**
 * Removes a worker, and those that ended long ago without removing themselves, including ones whose clock was ahead.
 */
export async function removeWorker(db: Db, id: string): Promise<void> {
  const now = (await readClock(db)).getTime()
  const longGone = [{ lt: new Date(now - DAY_MS) }, { gt: new Date(now + DAY_MS) }]
  const OR = [{ id }, ...longGone.map((heartbeatAt) => ({ heartbeatAt }))]
  await db.worker.deleteMany({ where: { OR } })
}

/** Returns the latest heartbeat of any worker by this clock; null = there is none. */
export async function lastHeartbeat(db: Db, now: Date): Promise<Date | null> {
  const { lt } = aliveAt(now)
  const where = { heartbeatAt: { lt } }
  const worker = await db.worker.findFirst({ where, orderBy: { heartbeatAt: 'desc' } })
  return worker?.heartbeatAt ?? null
}

/** Counts the workers alive by this clock. */
export async function countWorkers(db: Db, now: Date): Promise<number> {
  return db.worker.count({ where: { heartbeatAt: aliveAt(now) } })
}

/** Lists all registered workers; `heartbeatAt` in milliseconds. */
export async function listWorkers(db: DbOrTx): Promise<{ id: string; heartbeatAt: number }[]> {
  const workers = await db.worker.findMany({ select: { id: true, heartbeatAt: true } })
  return workers.map(({ id, heartbeatAt }) => ({ id, heartbeatAt: heartbeatAt.getTime() }))
}

/** Workers send a heartbeat every two seconds; one that has been silent for this long is gone, or stuck. */
export const WORKER_TIMEOUT_MS = 15_000

/**
 * Range of heartbeats of live workers. One in the future comes from a clock that was set back since, and is ignored.
 */
export function aliveAt(now: Date): { gt: Date; lt: Date } {
  const at = now.getTime()
  return { gt: new Date(at - WORKER_TIMEOUT_MS), lt: new Date(at + WORKER_TIMEOUT_MS) }
}

/** Returns whether a worker last seen so long ago may still be running; null = none was seen. */
export function isWorkerAlive(silentMs: number | null): boolean {
  return silentMs !== null && Math.abs(silentMs) < WORKER_TIMEOUT_MS
}

/** Lists live workers with their machines, by the clock that all hosts share. */
export async function listAliveWorkers(db: Db): Promise<{ id: string; hostId: string | null }[]> {
  return db.worker.findMany({
    where: { heartbeatAt: aliveAt(await readClock(db)) },
    select: { id: true, hostId: true },
  })
}

/**
 * Returns the machine of the worker that holds the job of a run; null = no worker does, or one of an earlier version.
 */
export async function findHolderHost(db: DbOrTx, runId: string): Promise<string | null> {
  const job = await db.job.findUnique({ where: { runId }, select: { leaseOwner: true } })
  if (!job?.leaseOwner) return null
  const worker = await db.worker.findUnique({ where: { id: job.leaseOwner } })
  return worker?.hostId ?? null
}
