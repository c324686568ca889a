import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { EXECUTORS, MAX_REMOTE_SHARDS } from '../domain/executors/index.ts'
import { providerName, slugSchema } from '../domain/record/index.ts'
import { type QueuedJob, RUN_STATUSES, type SlotClaim, slotClaim } from '../domain/runs/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import type { Job as JobRow } from './generated/sqlite/client.ts'

/** A job's request: names only; the runner resolves them when it freezes the plan. */
const jobPayloadSchema = z.object({
  suiteId: slugSchema,
  subject: z.string().min(1).max(80),
  repetitions: z.number().int().min(1).max(1000),
  tasks: z.array(slugSchema).min(1).optional(),
  concurrency: z.number().int().min(1).max(64).optional(),
  /** No episode starts once the run has cost this much. */
  spendCapMicroUsd: z.number().int().positive().optional(),
  /** Options for shards on other machines; absent = runs here. */
  remote: z
    .object({
      executor: z.enum(EXECUTORS),
      shards: z.number().int().min(1).max(MAX_REMOTE_SHARDS),
    })
    .optional(),
})
export type JobPayload = z.infer<typeof jobPayloadSchema>

export type Job = ReturnType<typeof toJob>

/** Optional columns of a new job. */
export type JobOptions = {
  priority?: number
  provider?: string | null
  frozen?: { plan: string; planDigest: string } | null
  requestedBy?: string | null
  /** A caller that chooses the id can send the request twice and queue the job once; absent = a new id. */
  jobId?: string
}

export async function enqueueJob(
  db: DbOrTx,
  payload: JobPayload,
  now: Date,
  { priority = 0, provider = null, frozen = null, requestedBy = null, jobId }: JobOptions = {},
): Promise<string> {
  const id = jobId ?? `job_${randomUUID()}`
  const data = {
    id,
    payload: JSON.stringify(jobPayloadSchema.parse(payload)),
    status: 'queued',
    createdAt: await nextQueueTime(db, now),
    priority,
    ...slotClaim({
      isRemote: payload.remote !== undefined,
      concurrency: payload.concurrency ?? 1,
      provider: provider && providerName(provider),
    }),
    plan: frozen?.plan ?? null,
    planDigest: frozen?.planDigest ?? null,
    requestedBy,
  }
  await withDatabaseErrors(async () => db.job.create({ data }))
  return id
}

/** Returns a time after every job of this moment, so that jobs queued within one millisecond keep their order. */
async function nextQueueTime(db: DbOrTx, now: Date): Promise<Date> {
  const last = await db.job.findFirst({
    where: { createdAt: { gte: now, lt: new Date(now.getTime() + 1000) } },
    orderBy: { createdAt: 'desc' },
    select: { createdAt: true },
  })
  return last ? new Date(last.createdAt.getTime() + 1) : now
}

export async function findJob(db: DbOrTx, jobId: string): Promise<Job | null> {
  const row = await db.job.findUnique({ where: { id: jobId } })
  return row && toJob(row)
}

export async function findJobOfRun(db: DbOrTx, runId: string): Promise<Job | null> {
  const row = await db.job.findUnique({ where: { runId } })
  return row && toJob(row)
}

export async function listJobsOfRuns(db: DbOrTx, runIds: readonly string[]): Promise<Job[]> {
  const rows = await db.job.findMany({ where: { runId: { in: [...runIds] } } })
  return rows.map(toJob)
}

type QueueState = { queued: number; running: number; oldestQueuedAt: string | null }

export async function queueState(db: Db): Promise<QueueState> {
  const [queued, running, oldest] = await Promise.all([
    db.job.count({ where: { status: 'queued' } }),
    db.job.count({ where: { status: 'running' } }),
    db.job.findFirst({ where: { status: 'queued' }, orderBy: { createdAt: 'asc' } }),
  ])
  return { queued, running, oldestQueuedAt: oldest?.createdAt.toISOString() ?? null }
}

export async function countJobs(db: DbOrTx): Promise<number> {
  return db.job.count()
}

export function toJob(row: JobRow) {
  return {
    jobId: row.id,
    payload: jobPayloadSchema.parse(JSON.parse(row.payload)),
    status: z.enum(RUN_STATUSES).parse(row.status),
    reason: row.reason,
    priority: row.priority,
    concurrency: row.concurrency,
    provider: row.provider,
    /** The plan frozen with the job; null = the worker freezes it from the payload. */
    plan: row.plan,
    planDigest: row.planDigest,
    requestedBy: row.requestedBy,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    /** Attempts since the run last made progress. */
    tries: row.tries,
    /** Id for the run, created at the first claim. */
    newRunId: row.newRunId,
    /** Id of the run once it is stored. */
    runId: row.runId,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

/** Cancels a job that never started, or asks its worker to stop. Null = neither applies. */
export async function requestCancel(
  tx: DbOrTx,
  jobId: string,
  { reason, now }: { reason: string; now: Date },
): Promise<'cancelled' | 'asked' | null> {
  const request = { reason, cancelRequestedAt: now }
  const untouched = await tx.job.updateMany({
    where: { id: jobId, status: 'queued', newRunId: null },
    data: { ...request, status: 'cancelled', endedAt: now },
  })
  if (untouched.count === 1) return 'cancelled'
  // A started job may have left episodes that are not stored yet, so a worker finishes it.
  const requested = await tx.job.updateMany({
    where: { id: jobId, status: { in: ['queued', 'running'] }, cancelRequestedAt: null },
    data: request,
  })
  return requested.count === 1 ? 'asked' : null
}

/** Lists the running jobs of this worker whose cancellation was requested. */
export async function listCancelled(db: DbOrTx, owner: string): Promise<string[]> {
  const where = { status: 'running', leaseOwner: owner, cancelRequestedAt: { not: null } }
  const rows = await db.job.findMany({ where, select: { id: true } })
  return rows.map(({ id }) => id)
}

/** Requeues a cancelled or failed job for the same run. False = it is neither. */
export async function requeueJob(tx: DbOrTx, jobId: string): Promise<boolean> {
  const { count } = await tx.job.updateMany({
    where: { id: jobId, status: { in: ['cancelled', 'failed'] } },
    data: { status: 'queued', tries: 0, reason: null, endedAt: null, cancelRequestedAt: null },
  })
  return count === 1
}

/** Changes a queued job's priority. False = it is no longer queued. */
export async function changePriority(
  tx: DbOrTx,
  jobId: string,
  priority: number,
): Promise<boolean> {
  const where = { id: jobId, status: 'queued' }
  return (await tx.job.updateMany({ where, data: { priority } })).count === 1
}

/** Returns the highest priority of the other queued jobs; null = there are none. */
export async function highestPriority(tx: DbOrTx, except: string): Promise<number | null> {
  const where = { status: 'queued', id: { not: except } }
  const { _max } = await tx.job.aggregate({ where, _max: { priority: true } })
  return _max.priority
}

/** Queue order: higher priority first, then oldest first. */
const QUEUE_ORDER = [{ priority: 'desc' }, { createdAt: 'asc' }, { id: 'asc' }] as const

/** Lists queued jobs in order, cancelled ones first. */
export async function listQueuedJobs(db: DbOrTx): Promise<QueuedJob[]> {
  const rows = await db.job.findMany({
    where: { status: 'queued' },
    orderBy: [...QUEUE_ORDER],
    select: { id: true, concurrency: true, provider: true, cancelRequestedAt: true },
  })
  const jobs = rows.map(({ id, concurrency, provider, cancelRequestedAt }) => {
    return { jobId: id, concurrency, provider, isCancelled: cancelRequestedAt !== null }
  })
  return [...jobs.filter((job) => job.isCancelled), ...jobs.filter((job) => !job.isCancelled)]
}

/** Finds the first cancelled job in the queue; null = there is none. */
export async function findCancelledQueued(db: DbOrTx): Promise<string | null> {
  const where = { status: 'queued', cancelRequestedAt: { not: null } }
  const row = await db.job.findFirst({ where, orderBy: [...QUEUE_ORDER], select: { id: true } })
  return row?.id ?? null
}

/** Finds the first queued job that uses none of these providers; null = there is none. */
export async function findFirstQueued(
  db: DbOrTx,
  closed: readonly string[],
): Promise<(SlotClaim & { jobId: string }) | null> {
  const open = { OR: [{ provider: null }, { provider: { notIn: [...closed] } }] }
  const row = await db.job.findFirst({
    where: { status: 'queued', cancelRequestedAt: null, ...open },
    orderBy: [...QUEUE_ORDER],
    select: { id: true, concurrency: true, provider: true },
  })
  return row && { jobId: row.id, concurrency: row.concurrency, provider: row.provider }
}

/** Finds the first queued job that runs on other machines; null = there is none. */
export async function findFirstRemote(db: DbOrTx): Promise<string | null> {
  const row = await db.job.findFirst({
    where: { status: 'queued', cancelRequestedAt: null, concurrency: 0 },
    orderBy: [...QUEUE_ORDER],
    select: { id: true },
  })
  return row?.id ?? null
}

/** Lists the machine and provider slots used by running jobs. */
export async function listRunningClaims(db: DbOrTx): Promise<SlotClaim[]> {
  const select = { concurrency: true, provider: true }
  return db.job.findMany({ where: { status: 'running' }, select })
}

type HeldJob = Job & { leaseOwner: string | null; leaseUntil: string | null }

/** Lists running jobs, longest running first. */
export async function listRunningJobs(db: DbOrTx): Promise<HeldJob[]> {
  const orderBy = [{ startedAt: 'asc' }, { id: 'asc' }] as const
  const rows = await db.job.findMany({ where: { status: 'running' }, orderBy: [...orderBy] })
  return rows.map((row) => ({
    ...toJob(row),
    leaseOwner: row.leaseOwner,
    leaseUntil: row.leaseUntil?.toISOString() ?? null,
  }))
}

/** Lists queued and running jobs. */
export async function listActiveJobs(db: DbOrTx): Promise<Job[]> {
  const rows = await db.job.findMany({ where: { status: { in: ['queued', 'running'] } } })
  return rows.map(toJob)
}

/** Lists jobs by id. */
export async function listJobs(db: DbOrTx, jobIds: readonly string[]): Promise<Job[]> {
  const rows = await db.job.findMany({ where: { id: { in: [...jobIds] } } })
  return rows.map(toJob)
}

/** Lists jobs that ended since then, latest first. */
export async function listEndedJobs(db: DbOrTx, since: Date, limit: number): Promise<Job[]> {
  const rows = await db.job.findMany({
    where: { status: { in: ['done', 'failed', 'cancelled'] }, endedAt: { gte: since } },
    orderBy: [{ endedAt: 'desc' }, { id: 'asc' }],
    take: limit,
  })
  return rows.map(toJob)
}
