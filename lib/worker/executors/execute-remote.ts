import { setTimeout as pause } from 'node:timers/promises'
import type { JobEnding } from '../../db/job-lease.ts'
import type { Job } from '../../db/job-store.ts'
import { parsePlan } from '../../db/plan-store.ts'
import {
  createRemoteRun,
  endLaunch,
  findRemoteRun,
  reopenShards,
  replaceRunToken,
  saveEngineId,
  tokenSender,
} from '../../db/remote-run-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import {
  countShards,
  type ExecutorName,
  type RemoteManifest,
  remoteManifest,
} from '../../domain/executors/index.ts'
import type { Plan } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { createSecret, hashSecret } from '../../server/accounts/setup-links.ts'
import { requireExecutor } from '../../server/remote/executors.ts'
import { syncSuite } from '../sync-suites.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type Engine, EngineFailure } from './engine.ts'
import { closeShards, followRemote, type RemoteJob } from './follow-remote.ts'
import { GithubEngine } from './github.ts'
import { kubernetesEngine } from './kubernetes.ts'
import { slurmEngine } from './slurm.ts'

const log = createLog('remote')
const HOUR_MS = 3_600_000
/** Time beyond the executor's own deadline, for results that are still arriving. */
const GRACE_HOURS = 1

type Options = { job: Job; runId: string; cancelled: AbortSignal }

/**
 * Runs one attempt of a job whose shards run on other machines: registers, starts, and follows it until the executor
 * has ended. After a kill, the next worker finds the executor's job and continues following it.
 */
export async function executeRemote(options: Options, context: WorkerContext): Promise<JobEnding> {
  let run: (RemoteJob & Options) | null = null
  try {
    run = await prepare(options, context)
    const engineId = await startOnEngine(run, context)
    return await followRemote(run, engineId, context)
  } catch (error) {
    if (context.signal.aborted) return { status: 'queued', tries: options.job.tries }
    if (!(error instanceof EngineFailure || error instanceof AppError)) throw error
    return endAfter(error, { options, run }, context)
  }
}

type Try = { options: Options; run: RemoteJob | null }

/** Handles a failure: another attempt, or the end of the job with nothing left at the executor. */
async function endAfter(
  error: EngineFailure | AppError,
  { options, run }: Try,
  context: WorkerContext,
): Promise<JobEnding> {
  const { job, runId, cancelled } = options
  const isFinal = !(error instanceof EngineFailure) || error.isFinal
  const tries = job.tries + 1
  if (!isFinal && tries < MAX_TRIES && !cancelled.aborted) {
    log.warn('the engine is asked again', { runId, tries, reason: error.message })
    await pause(RETRY_MS, undefined, { signal: context.signal }).catch(() => {})
    return { status: 'queued', tries }
  }
  if (run) await giveUp(run, error.message, context)
  const now = new Date()
  if (cancelled.aborted) return { status: 'cancelled', now }
  return { status: 'failed', reason: error.message, now }
}

const MAX_TRIES = 5
const RETRY_MS = 5000

/** Ends a launch that cannot be followed: resuming the run starts a new launch, never this one. */
async function giveUp(run: RemoteJob, reason: string, { db }: WorkerContext): Promise<void> {
  const { runId, engine } = run
  const now = new Date()
  const known = (await findRemoteRun(db, runId))?.engineId
  await closeShards(run, { reason, now }, db)
  // First: shards still running at the executor can report nothing any more.
  await endLaunch(db, runId, now)
  try {
    const engineId = known ?? (await engine.find())?.engineId
    if (!engineId) return
    await engine.cancel(engineId)
    await engine.clean(engineId)
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error
    log.warn('the engine could not be stopped', { runId, reason: error.message })
  }
}

async function prepare(
  options: Options,
  { db, signal }: WorkerContext,
): Promise<RemoteJob & Options> {
  const { job, runId } = options
  const { remote } = job.payload
  if (!remote || job.plan === null)
    throw new AppError(
      'invalid-request',
      'the job has no frozen plan for other machines: launch it again',
    )
  const plan = parsePlan(JSON.parse(job.plan))
  const { executor, shards } = remote
  const { settings, url } = requireExecutor(executor)
  const now = new Date()
  await createRemoteRun(
    db,
    {
      runId,
      jobId: job.jobId,
      plan,
      executor,
      shards: countShards(plan, shards),
      // This token is never used: the executor gets a new one when the job is launched.
      tokenHash: hashSecret(createSecret()),
      tokenExpiresAt: now,
      sender: tokenSender(executor),
      ownsRun: true,
    },
    now,
  )
  if (!(await findSuiteVersion(db, plan.suiteDigest))) await syncSuite(db, plan.suiteId, signal)
  const launch = (await findRemoteRun(db, runId))?.launch ?? 1
  const manifest = remoteManifest(plan, { runId, shards, url, launch })
  const engine = openEngine(executor, manifest, plan)
  return { ...options, manifest, engine, plan, pollMs: settings.poll * 1000 }
}

function openEngine(executor: ExecutorName, manifest: RemoteManifest, plan: Plan): Engine {
  if (executor === 'kubernetes')
    return kubernetesEngine(manifest, requireExecutor('kubernetes').settings)
  if (executor === 'github')
    return new GithubEngine(manifest, requireExecutor('github').settings, plan)
  return slurmEngine(manifest, requireExecutor('slurm').settings)
}

/** Starts the executor's job unless it was started before; returns the executor's id. */
async function startOnEngine(
  { engine, runId, job }: RemoteJob & Options,
  { db }: WorkerContext,
): Promise<string> {
  const known = await findRemoteRun(db, runId)
  if (known?.engineId) return known.engineId
  const earlier = await engine.find()
  if (earlier?.hasToken) {
    await saveEngineId(db, runId, earlier)
    return earlier.engineId
  }
  await reopenShards(db, runId)
  const token = `pbr_${createSecret()}`
  const { settings } = requireExecutor(job.payload.remote?.executor ?? 'kubernetes')
  const expiresAt = new Date(Date.now() + (settings.hours + GRACE_HOURS) * HOUR_MS)
  // Stored before the start: a shard may report at once.
  await replaceRunToken(db, runId, { hash: hashSecret(token), expiresAt })
  const started = await engine.start(token)
  await saveEngineId(db, runId, started)
  log.info('handed over', { runId, engineId: started.engineId })
  return started.engineId
}
