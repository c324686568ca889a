import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Db, readClock } from '../db/database.ts'
import { claimJob, type JobEnding, recoverJobs, releaseJob, renewLease } from '../db/job-lease.ts'
import type { Job } from '../db/job-store.ts'
import { listCancelled } from '../db/job-store.ts'
import { listUnsealedRuns, sealRun } from '../db/seal-run.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog, withLogContext } from '../log.ts'
import { locateProcess } from '../processes/is-process-alive.ts'
import { diskState } from '../server/care/disk-state.ts'
import { executeJob } from './execute-job.ts'
import { logFailure } from './log-failure.ts'
import { describeEnd } from './notifications.ts'
import type { WorkerContext } from './worker-context.ts'

const IDLE_MS = 500
const log = createLog('jobs')

/** Claims and executes jobs, as many at a time as the limits allow, until the worker has to end. */
export async function workQueue(context: WorkerContext): Promise<void> {
  const { db, workerId, signal } = context
  const cancels = new CancelWatch(db, workerId)
  /** Keyed by job id. */
  const working = new Map<string, Promise<void>>()
  while (!signal.aborted) {
    const job = await claimNext(context, working.keys()).catch((error: unknown) => {
      logFailure(log, 'no job could be claimed', error)
      return null
    })
    if (job) {
      const { jobId, newRunId } = job
      const about = { jobId, ...(newRunId && { runId: newRunId }) }
      const done = withLogContext(about, () => work(job, context, cancels)).finally(() => {
        if (working.get(jobId) === done) working.delete(jobId)
      })
      working.set(jobId, done)
    } else await untilNextLook(working.values(), signal)
  }
  await Promise.all(working.values())
}

/** Waits a moment, or until a job has ended and released its slots. */
async function untilNextLook(working: Iterable<Promise<void>>, signal: AbortSignal): Promise<void> {
  const looked = new AbortController()
  const idle = pause(IDLE_MS, undefined, { signal: AbortSignal.any([signal, looked.signal]) })
  await Promise.race([idle.catch(() => {}), ...working])
  looked.abort()
}

async function claimNext(
  { db, workerId }: WorkerContext,
  working: Iterable<string>,
): Promise<Job | null> {
  const now = await readClock(db)
  if ((await diskState(now)).level === 'full') return null // the health check reports it
  const recovered = await recoverJobs(db, now, isGone, working)
  if (recovered > 0) log.info('jobs of a dead worker are queued again', { recovered })
  const newRunId = `run_${now.getTime().toString(36)}${randomBytes(4).toString('hex')}`
  const { concurrency, providerConcurrency: providers } = env()
  const limits = { concurrency, providers }
  return claimJob(db, { owner: workerId, leaseMs: LEASE_MS, newRunId, limits })
}

/**
 * Returns whether a worker's process is gone. Only its own machine can tell: a worker elsewhere is judged by its lease
 * alone.
 */
function isGone({ pid, hostId }: { pid: number; hostId: string | null }): boolean {
  return locateProcess(pid, hostId) === 'gone'
}

async function work(job: Job, context: WorkerContext, cancels: CancelWatch): Promise<void> {
  const { db, workerId: owner } = context
  const { jobId } = job
  const lease = holdLease(db, { jobId, owner })
  const { cancelled, end } = cancels.watch(jobId)
  log.info('job claimed', { jobId, runId: job.newRunId, tries: job.tries, ...job.payload })
  try {
    const ending = await endJob(job, context, { lost: lease.lost, cancelled })
    if (lease.lost.aborted) return log.warn('the lease was lost to another worker', { jobId })
    await sealAndRelease(job, context, ending)
    log.info('job released', { jobId, ...ending })
  } catch (error) {
    // The lease expires, and the job is recovered then.
    log.error('a job could not be released', { jobId, error })
  } finally {
    end()
    // After the release: sealing a long run takes longer than a lease.
    lease.stop()
  }
}

/**
 * Seals the run, then releases the job: after a kill in between, the job is resumed and seals what is already there.
 */
async function sealAndRelease(job: Job, context: WorkerContext, ending: JobEnding): Promise<void> {
  const { db, workerId, notify } = context
  if (ending.status !== 'queued' && job.newRunId) await sealEndedRun(db, job.newRunId)
  await releaseJob(db, { jobId: job.jobId, owner: workerId }, ending)
  if (notify && ending.status !== 'queued')
    await describeEnd(job, ending)
      .then(notify)
      .catch((error: unknown) => log.warn('the end of a run was not notified', { error }))
}

type Stops = { lost: AbortSignal; cancelled: AbortSignal }

async function endJob(job: Job, context: WorkerContext, stops: Stops): Promise<JobEnding> {
  const signal = AbortSignal.any([context.signal, stops.lost])
  try {
    return await executeJob(job, { ...context, signal }, stops.cancelled)
  } catch (error) {
    const failure = logFailure(log, 'a job broke', error, { jobId: job.jobId })
    // Sealed episodes stay, here or on disk; the job continues once the database responds again.
    if (failure !== null) return { status: 'queued', tries: job.tries }
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'failed', reason, now: new Date() }
  }
}

/** Duration of a lease without a renewal, and interval of renewals. */
const LEASE_MS = 20_000
const RENEW_MS = 4000
/**
 * This worker stops after this time without a renewal, because another may soon take the job, and its runner needs time
 * to end.
 */
const RENEWAL_TIMEOUT_MS = 14_000
const ANSWER_MS = 2000

/**
 * Renews a job's lease until stopped. `lost` fires when another worker has it, and before one could take it while the
 * database does not respond. Measured from the request of the last renewal, by a monotonic clock.
 */
function holdLease(db: Db, held: { jobId: string; owner: string }) {
  const lost = new AbortController()
  let renewedAt = performance.now()
  const renew = async () => {
    const askedAt = performance.now()
    const until = new Date((await readClock(db)).getTime() + LEASE_MS)
    if (await renewLease(db, held, until)) renewedAt = askedAt
    else lost.abort()
  }
  const timer = setInterval(async () => {
    const request = renew().catch((error: unknown) =>
      log.warn('a lease was not renewed', { ...held, error }),
    )
    if (performance.now() - renewedAt < RENEWAL_TIMEOUT_MS) return
    await Promise.race([request, pause(ANSWER_MS)])
    if (performance.now() - renewedAt >= RENEWAL_TIMEOUT_MS) lost.abort()
  }, RENEW_MS)
  return { lost: lost.signal, stop: () => clearInterval(timer) }
}

/** Polling interval for cancellations while jobs run, short enough for a person who waits. */
const LOOK_MS = 150

/** Informs each running job of one worker when its cancellation is requested. */
class CancelWatch {
  readonly #db: Db
  readonly #owner: string
  readonly #watched = new Map<string, AbortController>()
  #isLooking = false

  constructor(db: Db, owner: string) {
    this.#db = db
    this.#owner = owner
  }

  /** Returns a signal that fires when the job is to be stopped; call `end` when it has ended by itself. */
  watch(jobId: string): { cancelled: AbortSignal; end: () => void } {
    const controller = new AbortController()
    this.#watched.set(jobId, controller)
    void this.#look()
    const end = () => {
      // A job that was lost and claimed again has another watch by now.
      if (this.#watched.get(jobId) === controller) this.#watched.delete(jobId)
    }
    return { cancelled: controller.signal, end }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#watched.size > 0) {
      await this.#lookOnce().catch((error: unknown) => {
        log.warn('cancelled jobs could not be checked', { error })
      })
      await pause(LOOK_MS)
    }
    this.#isLooking = false
  }

  async #lookOnce(): Promise<void> {
    for (const jobId of await listCancelled(this.#db, this.#owner)) {
      this.#watched.get(jobId)?.abort('cancelled')
    }
  }
}

const ledgerLog = createLog('ledger')

/** Seals every ended run with episodes that no seal covers. */
export async function sealEndedRuns(db: Db): Promise<void> {
  for (const runId of await listUnsealedRuns(db)) await sealEndedRun(db, runId)
}

/** Seals one run. A failure is logged and does not stop the others: `ledger verify` reports it. */
async function sealEndedRun(db: Db, runId: string): Promise<void> {
  try {
    if ((await sealRun(db, runId, new Date())) === 'sealed') ledgerLog.info('run sealed', { runId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    ledgerLog.error('a run was not sealed', { runId, code: error.code, reason: error.message })
  }
}
