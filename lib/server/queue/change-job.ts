import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { DbOrTx } from '../../db/db.ts'
import { listEpisodeCells } from '../../db/episode-store.ts'
import {
  changePriority,
  findJob as findJobById,
  findJobOfRun,
  highestPriority,
  type Job,
  requestCancel,
  requeueJob,
} from '../../db/job-store.ts'
import { parsePlan } from '../../db/plan-store.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { countSlots, isFrozen, listOpenSlots } from '../../domain/record/index.ts'
import { countOf } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'

/** Runs are public and accounts are not: only the audit log names the person. */
const CANCELLED_BY: Record<Actor['kind'], string> = {
  user: 'cancelled by an administrator',
  token: 'cancelled through the API',
  workflow: 'cancelled by a workflow',
  console: 'cancelled from the console',
  system: 'cancelled by the server',
}

/**
 * Cancels a job for good and keeps its sealed episodes: a queued job leaves the queue, and the worker ends the runner
 * of a running one with everything it started. Returns a message. Throws for a job that has ended.
 */
export async function cancelJob(target: string, change: JobChange): Promise<string> {
  const { actor, now, requestId = null } = change
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const reason = CANCELLED_BY[actor.kind]
      const result = await requestCancel(tx, job.jobId, { reason, now })
      if (result === null) throw new AppError('conflict', whyNotCancelled(job))
      const detail = { jobId: job.jobId, was: job.status }
      const line = { actor, action: 'run.cancel', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return result === 'cancelled'
        ? 'Removed from the queue before it started.'
        : 'Stopping: agents and browsers end within two seconds, and finished episodes are kept.'
    }),
  )
}

function whyNotCancelled({ status, cancelRequestedAt, endedAt }: Job): string {
  if (cancelRequestedAt !== null && status !== 'cancelled') return 'It is already stopping.'
  const when = endedAt ? ` at ${endedAt.slice(0, 19)}Z` : ''
  return `Nothing to cancel: it was ${status}${when}.`
}

/**
 * Changes a queued job's priority (higher goes first), with `front` to one above all others. Returns a message. Throws
 * for a job that is no longer queued.
 */
export async function prioritizeJob(
  target: string,
  wanted: number | 'front',
  change: JobChange,
): Promise<string> {
  const { actor, now, requestId = null } = change
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const priority = wanted === 'front' ? await aboveOthers(job.jobId) : wanted
      if (!(await changePriority(tx, job.jobId, priority))) {
        const message = `The job is ${job.status}: only queued jobs have a priority.`
        throw new AppError('conflict', message)
      }
      const detail = { jobId: job.jobId, from: job.priority, to: priority }
      const line = { actor, action: 'job.priority', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return wanted === 'front'
        ? 'Moved to the front of the queue.'
        : `Priority set to ${priority}.`

      async function aboveOthers(jobId: string): Promise<number> {
        const highest = await highestPriority(tx, jobId)
        return highest === null ? job.priority : Math.max(job.priority, highest + 1)
      }
    }),
  )
}

/**
 * Requeues a cancelled or failed job under the same run: the runner continues with its plan minus the sealed episodes.
 * Returns a message. Of two concurrent requests one fails.
 */
export async function resumeJob(target: string, change: JobChange): Promise<string> {
  const { actor, now, requestId = null } = change
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const preview = await previewResume(tx, job)
      if (!preview.ok) throw new AppError('conflict', preview.reason)
      if (!(await requeueJob(tx, job.jobId))) throw new AppError('conflict', 'It has not finished.')
      const detail = { jobId: job.jobId, was: job.status, missing: preview.missing }
      const line = { actor, action: 'run.resume', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return `Queued again. ${describeResume(preview)}`
    }),
  )
}

/** Describes what resuming does, in numbers. */
export function describeResume({ missing, planned }: Extract<ResumePreview, { ok: true }>): string {
  if (missing === null || planned === null) return 'Freezes the plan and runs all of it.'
  const sealed = planned - missing
  const kept =
    sealed === 0
      ? 'none are finished yet'
      : `${countOf(sealed, 'finished episode is', 'finished episodes are')} kept`
  return `Runs ${missing} of ${countOf(planned, 'episode')}; ${kept}.`
}

/** Preview of resuming a job: whether it is possible, and with how many episodes; null = unknown, since its plan was never frozen. */
type ResumePreview =
  | { ok: true; missing: number | null; planned: number | null }
  | { ok: false; reason: string }

/** Returns what resuming a job would run: its plan minus the sealed episodes. */
export async function previewResume(db: DbOrTx, job: Job): Promise<ResumePreview> {
  if (job.status === 'queued') return refuse('It is already queued.')
  if (job.status === 'running') return refuse('It is running.')
  if (job.status === 'done') return refuse('All planned episodes are finished: nothing to resume.')
  const run = job.runId === null ? null : await findRun(db, job.runId)
  const plan = run?.plan ?? (job.plan === null ? null : parsePlan(JSON.parse(job.plan)))
  if (!plan) return { ok: true, missing: null, planned: null }
  if (!isFrozen(plan)) return refuse('It was reported by another program without a frozen plan.')
  if ((await findSuite(db, plan.suiteId))?.digest !== plan.suiteDigest) {
    return refuse('The suite has changed since the plan was frozen: start a new run instead.')
  }
  const cells = run ? await listEpisodeCells(db, { runId: run.runId }) : []
  const missing = listOpenSlots(plan, cells).length
  if (missing === 0) return refuse('Every planned episode is sealed.')
  return { ok: true, missing, planned: countSlots(plan) }
}

function refuse(reason: string): ResumePreview {
  return { ok: false, reason }
}

/** The actor and time of a job's change. */
export type JobChange = { actor: Actor; now: Date; requestId?: string | null }

/** Finds the job of this id (`job_…`), or the one of a run (`run_…`). Throws with a message. */
async function findJob(tx: DbOrTx, target: string): Promise<Job> {
  const job = await (target.startsWith('run_') ? findJobOfRun : findJobById)(tx, target)
  if (job) return job
  if (await findRun(tx, target)) {
    const message = `${target} was not started by this server, so it cannot be stopped or resumed here`
    throw new AppError('conflict', message)
  }
  const name = target.slice(0, 80)
  throw new AppError('not-found', `no job or run ${name} exists: see the queue`)
}

/** Returns the target of an audit line: the run once there is one. */
function auditTarget({ runId, jobId }: Job): string {
  return runId ?? jobId
}
