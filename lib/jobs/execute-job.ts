import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ending, forgetTries } from '#lib/db/job-lease.ts'
import type { Job } from '#lib/db/job-store.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { awaitFormerRunner } from './await-former-runner.ts'
import { freezeJob } from './freeze-job.ts'
import { keepRun } from './keep-episodes.ts'
import { RunFailure } from './run-failure.ts'
import { runJob } from './run-job.ts'
import type { WorkerContext } from './worker-context.ts'

/** So many tries without a single new episode, and the job is given up. */
const MOST_TRIES = 3
const RETRY_PAUSE_MS = 1000
const log = createLog('jobs')

/** One try of a job: freeze the plan unless it stands, run what is missing of it, keep what was sealed. */
export async function executeJob(job: Job, context: WorkerContext): Promise<Ending> {
  const runId = job.newRunId
  if (!runId) throw new Error(`job ${job.jobId} was claimed without a run id`)
  const folder = join(env().runsDir, runId)
  let kept = 0
  try {
    await mkdir(folder, { recursive: true })
    await awaitFormerRunner(folder, context.signal)
    const plan = await freezeJob(job, folder, context)
    const onKept = async (count = 1) => {
      if (count === 0) return
      if (kept === 0 && job.tries > 0) await forgetTries(context.db, job.jobId)
      kept += count
      context.boards.request(plan.suiteId)
    }
    await onKept(await keepRun(context.db, runId))
    try {
      await runJob({ runId, folder, concurrency: job.payload.concurrency ?? 1, onKept }, context)
    } finally {
      // What it sealed without saying so: attempts it closed for a runner that was killed, or events we missed.
      await onKept(await keepRun(context.db, runId))
      context.boards.request(plan.suiteId)
    }
    return { status: 'done', reason: null, now: new Date() }
  } catch (error) {
    if (context.signal.aborted) return { status: 'queued', tries: job.tries }
    if (!(error instanceof RunFailure || error instanceof AppError)) throw error
    return retryOrFail(job, kept > 0, error, context.signal)
  }
}

async function retryOrFail(
  job: Job,
  hasProgress: boolean,
  error: RunFailure | AppError,
  signal: AbortSignal,
): Promise<Ending> {
  const tries = hasProgress ? 1 : job.tries + 1
  const isFinal = error instanceof RunFailure ? error.isFinal : error.code === 'conflict'
  if (isFinal) return { status: 'failed', reason: error.message, now: new Date() }
  if (tries >= MOST_TRIES) {
    const reason = `given up after ${tries} tries without a new episode: ${error.message}`
    return { status: 'failed', reason, now: new Date() }
  }
  log.warn('the job is tried again', { jobId: job.jobId, tries, reason: error.message })
  await pause(RETRY_PAUSE_MS * tries, undefined, { signal }).catch(() => {})
  return { status: 'queued', tries }
}
