import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countOf } from '#lib/domain/text/index.ts'
import { forgetJobTries, type JobEnding, notePause } from '../db/job-lease.ts'
import type { Job, JobPayload } from '../db/job-store.ts'
import { parsePlan, withdrawEmptyRun } from '../db/plan-store.ts'
import { saveRun } from '../db/run-store.ts'
import { findSuiteVersion } from '../db/suite-store.ts'
import type { Plan } from '../domain/record/index.ts'
import { slotsOf } from '../domain/runs/index.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { locateProcess } from '../processes/is-process-alive.ts'
import { spawnRunner } from '../processes/spawn-runner.ts'
import { executeRemote } from './executors/execute-remote.ts'
import { fillRunFolder, type RunPlace as Place, writeWhole } from './fill-run-folder.ts'
import { describePause } from './notifications.ts'
import { RunFailure, type RunOptions, runArguments, runJob, saveRunFolder } from './run-job.ts'
import { syncSuite } from './sync-suites.ts'
import type { WorkerContext } from './worker-context.ts'

/** The job fails after this many attempts without a new episode. */
const MAX_TRIES = 3
/** Limit of attempts ended from outside: the job may be what exhausts the machine's memory. */
const MAX_KILLS = 20
const RETRY_PAUSE_MS = 1000
const MAX_PAUSE_MS = 5000
/** Errors that a retry would repeat. */
const FINAL = new Set<AppError['code']>(['conflict', 'invalid-request'])
const log = createLog('jobs')

const NEVER = new AbortController().signal

/**
 * Runs one attempt of a job: freezes the plan unless it is frozen, runs the missing episodes, stores sealed ones.
 * `cancelled` stops it for good, with the reason to record for the run.
 */
export async function executeJob(
  job: Job,
  context: WorkerContext,
  cancelled: AbortSignal = NEVER,
): Promise<JobEnding> {
  const runId = job.newRunId
  if (!runId) throw new Error(`job ${job.jobId} was claimed without a run id`)
  if (job.payload.remote) return executeElsewhere(job, runId, context, cancelled)
  const folder = join(env().runsDir, runId)
  await mkdir(folder, { recursive: true })
  await awaitFormerRunner(folder, context.signal)
  if (context.signal.aborted) return { status: 'queued', tries: job.tries }
  await fillRunFolder(context.db, { runId, folder })
  if (job.cancelRequestedAt !== null) return finishCancelled(job, { runId, folder }, context)
  const signal = AbortSignal.any([context.signal, cancelled])
  const ending = await tryJob(job, { runId, folder }, { ...context, signal })
  if (cancelled.aborted && ending.status !== 'done')
    return finishCancelled(job, { runId, folder }, context)
  if (ending.status === 'failed') await settle(job, { runId, folder }, context)
  return ending
}

/** Runs a job on an executor. The same code ends a cancelled job, and asks its executor to stop. */
async function executeElsewhere(
  job: Job,
  runId: string,
  context: WorkerContext,
  cancelled: AbortSignal,
): Promise<JobEnding> {
  const wanted = job.cancelRequestedAt === null ? cancelled : AbortSignal.abort('cancelled')
  const ending = await executeRemote({ job, runId, cancelled: wanted }, context)
  if (ending.status !== 'queued') await withdrawEmptyRun(context.db, runId, new Date())
  return ending
}

/** Finishes a cancelled job: its runner has ended, and its sealed episodes are stored. */
async function finishCancelled(job: Job, place: Place, context: WorkerContext): Promise<JobEnding> {
  await settle(job, place, context)
  return { status: 'cancelled', now: new Date() }
}

/** Closes what an inactive job left open, also when its runner was killed. */
async function settle(job: Job, { runId, folder }: Place, context: WorkerContext): Promise<void> {
  const { db, boards } = context
  try {
    await settleRun({ runId, folder, ...orderOf(job) })
    if ((await saveRunFolder(db, runId)) > 0) boards.request(job.payload.suiteId)
    await withdrawEmptyRun(db, runId, new Date())
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The folder stays on disk, and every worker scans the run folders when it starts.
    log.warn('an ended run was not scanned', { runId, reason: error.message })
  }
}

async function tryJob(
  job: Job,
  { runId, folder }: Place,
  context: WorkerContext,
): Promise<JobEnding> {
  let stored = 0
  try {
    context.signal.throwIfAborted()
    const plan = await freezeJob(job, folder, context)
    const onKept = async (count = 1) => {
      if (count === 0) return
      if (stored === 0 && job.tries > 0) await forgetJobTries(context.db, job.jobId)
      stored += count
      context.boards.request(plan.suiteId)
    }
    const onPause = async (pause: string | null) => {
      await notePause(context.db, job.jobId, pause)
      if (pause !== null) context.notify?.(describePause(job, runId, pause))
    }
    await onKept(await saveRunFolder(context.db, runId))
    if (stored === 0 && job.tries >= MAX_KILLS) return giveUp(job.tries, 'the worker was killed')
    try {
      const { leftOut } = await runJob({ runId, folder, ...orderOf(job), onKept, onPause }, context)
      await onKept(await saveRunFolder(context.db, runId))
      // A machine that was back meanwhile may have stored other attempts of these slots first.
      if ((await fillRunFolder(context.db, { runId, folder })) > 0)
        return { status: 'queued', tries: job.tries }
      const now = new Date()
      return leftOut === null
        ? { status: 'done', reason: null, now }
        : { status: 'failed', reason: leftOut, now }
    } finally {
      // Stores episodes without an event: attempts that were closed after a kill, and missed events.
      await onKept(await saveRunFolder(context.db, runId))
      context.boards.request(plan.suiteId)
    }
  } catch (error) {
    if (context.signal.aborted) return { status: 'queued', tries: job.tries }
    if (!(error instanceof RunFailure || error instanceof AppError)) throw error
    return retryOrFail(job, stored > 0, error, context.signal)
  }
}

/** Runner options. Concurrency never exceeds the machine's limit for one job. */
function orderOf({ jobId, payload, concurrency, provider }: Job) {
  const { concurrency: machine, providerConcurrency: providers } = env()
  const slots = slotsOf({ concurrency, provider }, { concurrency: machine, providers })
  if (slots < concurrency)
    log.info('the job requests more than is available, and runs with less', {
      jobId,
      concurrency,
      slots,
    })
  return { concurrency: slots, spendCapMicroUsd: payload.spendCapMicroUsd ?? null }
}

async function retryOrFail(
  job: Job,
  hasProgress: boolean,
  error: RunFailure | AppError,
  signal: AbortSignal,
): Promise<JobEnding> {
  const tries = hasProgress ? 1 : job.tries + 1
  const isFinal = error instanceof RunFailure ? error.isFinal : FINAL.has(error.code)
  if (isFinal) return { status: 'failed', reason: error.message, now: new Date() }
  const isKilled = error instanceof RunFailure && error.isKilled
  if (tries >= (isKilled ? MAX_KILLS : MAX_TRIES)) return giveUp(tries, error.message)
  log.warn('the job is tried again', { jobId: job.jobId, tries, reason: error.message })
  await pause(Math.min(RETRY_PAUSE_MS * tries, MAX_PAUSE_MS), undefined, { signal }).catch(() => {})
  return { status: 'queued', tries }
}

function giveUp(tries: number, why: string): JobEnding {
  const reason = `given up after ${countOf(tries, 'try')} without a new episode: ${why}`
  return { status: 'failed', reason, now: new Date() }
}

/** Stores the job's frozen plan as a run before its first episode starts; a stored plan is never replaced. */
async function freezeJob(job: Job, folder: string, context: WorkerContext): Promise<Plan> {
  const { db, signal } = context
  const file = join(folder, 'plan.json')
  if (!existsSync(file) && job.plan !== null) await writeFrozen(job, job.plan, file)
  else if (!existsSync(file)) {
    const args = ['plan', ...asked(job.payload), '--out', file, '--json']
    const ending = await spawnRunner(args, { onStdout: () => {} }, signal)
    if (ending.exitCode !== 0) throw new RunFailure(ending)
  }
  const plan = parsePlan(JSON.parse(await readFile(file, 'utf8')))
  const runId = job.newRunId ?? ''
  const origin = { provenance: 'local' as const, registeredBy: 'worker' }
  const run = { runId, plan, jobId: job.jobId, ...origin }
  await saveRun(db, run, new Date())
  if (!(await findSuiteVersion(db, plan.suiteDigest))) await syncSuite(db, plan.suiteId, signal)
  return plan
}

/** Writes the job's plan into the run folder, byte for byte. */
async function writeFrozen({ planDigest }: Job, text: string, file: string): Promise<void> {
  const plan = parsePlan(JSON.parse(text))
  if (plan.planDigest !== planDigest) {
    const message = `the job was queued with plan ${planDigest} and contains ${plan.planDigest}: queue it again`
    throw new AppError('conflict', message)
  }
  await writeWhole(file, text)
}

function asked({ suiteId, subject, repetitions, tasks }: JobPayload): string[] {
  const args = ['--suite', suiteId, '--subject', subject, '--repetitions', String(repetitions)]
  return tasks ? [...args, '--tasks', tasks.join(',')] : args
}

/**
 * Cleans up after a killed runner of a job that is not retried: a runner that starts nothing closes its attempts as
 * void and removes what it left outside of the folder. A runner that ended normally has removed its `runner.pid`.
 */
async function settleRun(options: Omit<RunOptions, 'onKept' | 'onPause'>): Promise<void> {
  const { runId, folder } = options
  if (!existsSync(join(folder, 'runner.pid')) || !existsSync(join(folder, 'plan.json'))) return
  const { exitCode, lastMessage } = await spawnRunner(
    runArguments(options),
    { onStdout: () => {} },
    AbortSignal.abort(),
  )
  log.info('closed what a killed runner left open', { runId, exitCode, reason: lastMessage })
}

const MAX_MS = 30_000
const STEP_MS = 100

/**
 * Waits for the runner of a killed worker: its stdin closes, and it owns the run folder until it has ended. The
 * folder's `runner.pid` names its process and machine; on another machine it ended with its worker's lease, and only
 * its note is left.
 */
async function awaitFormerRunner(folder: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_MS
  while (performance.now() < deadline && !signal.aborted && (await isHeld(folder))) {
    await pause(STEP_MS, undefined, { signal }).catch(() => {})
  }
}

async function isHeld(folder: string): Promise<boolean> {
  const file = join(folder, 'runner.pid')
  const [pid, , host] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ')
  const found = locateProcess(Number(pid), host)
  if (found === 'elsewhere') await rm(file, { force: true })
  return found === 'alive'
}
