import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { claimJob, type Ending, recoverJobs, releaseJob } from '#lib/db/job-lease.ts'
import type { Job } from '#lib/db/job-store.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'
import { withLogContext } from '#lib/log-context.ts'
import { diskState } from '#lib/retention/disk-state.ts'
import { executeJob } from './execute-job.ts'
import { holdLease, LEASE_MS } from './hold-lease.ts'
import { isProcessAlive } from './is-process-alive.ts'
import { sealEndedRun } from './seal-runs.ts'
import { CancelWatch } from './watch-cancels.ts'
import type { WorkerContext } from './worker-context.ts'

const IDLE_MS = 500
const log = createLog('jobs')

/** Claims and executes jobs, as many at a time as the limits allow, until the worker has to end. */
export async function workQueue(context: WorkerContext): Promise<void> {
  const { db, workerId, signal } = context
  const cancels = new CancelWatch(db, workerId)
  const working = new Set<Promise<void>>()
  while (!signal.aborted) {
    const job = await claimNext(context).catch((error: unknown) => {
      log.error('no job could be claimed', { error })
      return null
    })
    if (job) {
      const { jobId, newRunId } = job
      const about = { jobId, ...(newRunId && { runId: newRunId }) }
      const done = withLogContext(about, () => work(job, context, cancels)).finally(() =>
        working.delete(done),
      )
      working.add(done)
    } else await untilNextLook(working, signal)
  }
  await Promise.all(working)
}

/** A moment later, or as soon as a job has ended and left its slots. */
async function untilNextLook(working: Iterable<Promise<void>>, signal: AbortSignal): Promise<void> {
  const looked = new AbortController()
  const idle = pause(IDLE_MS, undefined, { signal: AbortSignal.any([signal, looked.signal]) })
  await Promise.race([idle.catch(() => {}), ...working])
  looked.abort()
}

async function claimNext({ db, workerId }: WorkerContext): Promise<Job | null> {
  const now = new Date()
  if ((await diskState(now)).level === 'full') return null // health says what to do
  const recovered = await recoverJobs(db, now, isProcessAlive)
  if (recovered > 0) log.info('jobs of a dead worker are queued again', { recovered })
  const newRunId = `run_${now.getTime().toString(36)}${randomBytes(4).toString('hex')}`
  const { concurrency, providerConcurrency: providers } = env()
  const limits = { concurrency, providers }
  return claimJob(db, { owner: workerId, now, leaseMs: LEASE_MS, newRunId, limits })
}

async function work(job: Job, context: WorkerContext, cancels: CancelWatch): Promise<void> {
  const { db, workerId: owner } = context
  const { jobId } = job
  const lease = holdLease(db, { jobId, owner })
  const { cancelled, end } = cancels.watch(jobId)
  log.info('job claimed', { jobId, runId: job.newRunId, tries: job.tries, ...job.payload })
  const ending = await endJob(job, context, { lost: lease.lost, cancelled })
  end()
  lease.stop()
  if (lease.lost.aborted) return log.warn('the lease was lost to another worker', { jobId })
  await letGo(job, context, ending).catch((error: unknown) => {
    // The lease runs out by itself, and the job is recovered then.
    log.error('a job could not be released', { jobId, error })
  })
  log.info('job released', { jobId, ...ending })
}

/** Sealed before released: killed in between, the job is taken up again and seals what stands already. */
async function letGo(job: Job, { db, workerId }: WorkerContext, ending: Ending): Promise<void> {
  if (ending.status !== 'queued' && job.newRunId) await sealEndedRun(db, job.newRunId)
  await releaseJob(db, { jobId: job.jobId, owner: workerId }, ending)
}

type Stops = { lost: AbortSignal; cancelled: AbortSignal }

async function endJob(job: Job, context: WorkerContext, stops: Stops): Promise<Ending> {
  const signal = AbortSignal.any([context.signal, stops.lost])
  try {
    return await executeJob(job, { ...context, signal }, stops.cancelled)
  } catch (error) {
    log.error('a job broke, please report this bug', { jobId: job.jobId, error })
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'failed', reason, now: new Date() }
  }
}
