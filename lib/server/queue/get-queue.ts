import { database } from '#lib/db/database.ts'
import { countProgress } from '#lib/db/episode-store.ts'
import { isWorkerAlive, listWorkers } from '#lib/db/job-lease.ts'
import {
  type Job,
  listEndedJobs,
  listJobs,
  listQueuedJobs,
  listRunningJobs,
} from '#lib/db/job-store.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { readSuiteTitles } from '#lib/db/suite-store.ts'
import type { QueueJob, QueueView } from '#lib/domain/api/index.ts'
import { countSlots, subjectLabel } from '#lib/domain/record/index.ts'
import {
  countUsedSlots,
  planQueue,
  providerLimit,
  type QueueLimits,
  slotsOf,
} from '#lib/domain/runs/index.ts'
import { env } from '#lib/env.ts'
import { describeJob, describeRun, findStops } from '#lib/server/runs/runs.ts'
import type { DbOrTx } from '../../db/db.ts'

const DAY_MS = 86_400_000
const MAX_ENDED = 100

/** Returns the running, queued and recently finished jobs. */
export async function getQueue(now: Date): Promise<QueueView> {
  const { concurrency, providerConcurrency: providers } = env()
  const limits = { concurrency, providers }
  const { running, queued, jobs, ended, workers, describe } = await readQueue(now, limits)
  const places = planQueue(running, queued, limits)
  const silent = workers.map(({ id, heartbeatAt }) => [id, now.getTime() - heartbeatAt] as const)
  const beats = new Map(
    silent.flatMap(([id, ms]) => (ms < 0 && !isWorkerAlive(ms) ? [] : [[id, Math.max(0, ms)]])),
  )
  const jobOf = new Map(jobs.map((job) => [job.jobId, job]))
  return {
    ...describeUse([...running, ...jobs], running, limits),
    workersAlive: [...beats.values()].filter(isWorkerAlive).length,
    running: running.map((job) => ({
      ...describe(job),
      leaseOwner: job.leaseOwner,
      beatMs: beats.get(job.leaseOwner ?? '') ?? null,
    })),
    waiting: places.flatMap(({ jobId, wait }) => {
      const job = jobOf.get(jobId)
      return job ? [{ ...describe(job), wait }] : []
    }),
    ended: ended.map(describe),
  }
}

/**
 * Reads the lists in the order of a job's states, without a lock that would block workers: a job that moves meanwhile
 * is in both lists, and counts in the later one.
 */
async function readQueue(now: Date, limits: QueueLimits) {
  const db = database()
  const queued = await listQueuedJobs(db)
  const waiting = await listJobs(
    db,
    queued.map(({ jobId }) => jobId),
  )
  const held = await listRunningJobs(db)
  const ended = await listEndedJobs(db, new Date(now.getTime() - DAY_MS), MAX_ENDED)
  const gone = new Set(ended.map(({ jobId }) => jobId))
  const running = held.filter(({ jobId }) => !gone.has(jobId))
  for (const { jobId } of running) gone.add(jobId)
  const jobs = waiting.filter(({ jobId }) => !gone.has(jobId))
  const workers = await listWorkers(db)
  const describe = await describer(db, [...running, ...jobs, ...ended], limits)
  const stillQueued = queued.filter(({ jobId }) => !gone.has(jobId))
  return { running, queued: stillQueued, jobs, ended, workers, describe }
}

function describeUse(active: readonly Job[], running: readonly Job[], limits: QueueLimits) {
  const used = countUsedSlots(running, limits)
  const named = [...new Set(active.flatMap(({ provider }) => provider ?? []))].sort()
  const providers = named.map((provider) => {
    const limit = providerLimit(limits, provider)
    const known = Number.isFinite(limit) ? limit : null
    return { provider, used: used.providers.get(provider) ?? 0, limit: known }
  })
  return { machine: { used: used.machine, limit: limits.concurrency }, providers }
}

/** Returns a function that describes any of these jobs, by its run where there is one. */
async function describer(tx: DbOrTx, jobs: readonly Job[], limits: QueueLimits) {
  const runIds = jobs.flatMap(({ runId }) => runId ?? [])
  const progress = await countProgress(tx, runIds)
  const found = (await Promise.all(runIds.map((runId) => findRun(tx, runId)))).flatMap(
    (run) => run ?? [],
  )
  const runs = new Map(found.map((run) => [run.runId, run]))
  const stops = await findStops(tx, found)
  const titles = await readSuiteTitles(tx)
  return (job: Job): QueueJob => {
    const run = job.runId === null ? null : runs.get(job.runId)
    const about = run
      ? describeRun(run, job, progress.get(run.runId), stops.get(run.runId))
      : describeFrozen(job)
    const { jobId, priority, provider, requestedBy, status } = job
    const isStopping = job.cancelRequestedAt !== null && status !== 'cancelled'
    const slots = slotsOf(job, limits)
    const suiteTitle = titles.get(about.suiteId) ?? about.suiteId
    return { ...about, suiteTitle, jobId, priority, provider, requestedBy, slots, isStopping }
  }
}

/** Describes a job without a run, by its plan if that exists, else by its payload. */
function describeFrozen(job: Job) {
  const about = describeJob(job)
  if (job.plan === null) return about
  const plan = parsePlan(JSON.parse(job.plan))
  const planned = countSlots(plan)
  return { ...about, subjectLabel: subjectLabel(plan.subject), planned, owed: planned }
}
