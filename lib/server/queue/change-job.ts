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
import { countOf, countSlots, isFrozen, listOpenSlots } from '../../domain/record/index.ts'
import { AppError } from '../../errors.ts'

/** Runs are public and accounts are not: the audit log names the person. */
const CANCELLED_BY: Record<Actor['kind'], string> = {
  user: 'cancelled by an administrator',
  token: 'cancelled through the API',
  workflow: 'cancelled by a workflow',
  console: 'cancelled from the console',
  system: 'cancelled by the server',
}

/**
 * Stops a job for good and keeps what it sealed: a queued one leaves the queue, of a running one the worker ends the
 * runner with everything it started. Answers with a sentence; refuses a job that has ended.
 */
export async function cancelJob(target: string, asking: JobChange): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const reason = CANCELLED_BY[actor.kind]
      const done = await requestCancel(tx, job.jobId, { reason, now })
      if (done === null) throw new AppError('conflict', refusal(job))
      const detail = { jobId: job.jobId, was: job.status }
      const line = { actor, action: 'run.cancel', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return done === 'cancelled'
        ? 'Removed from the queue before it started.'
        : 'Stopping: agents and browsers end within two seconds, and finished episodes are kept.'
    }),
  )
}

function refusal({ status, cancelRequestedAt, endedAt }: Job): string {
  if (cancelRequestedAt !== null && status !== 'cancelled') return 'It is already stopping.'
  const when = endedAt ? ` at ${endedAt.slice(0, 19)}Z` : ''
  return `Nothing to cancel: it was ${status}${when}.`
}

/**
 * Gives a queued job another priority (higher goes first), or with `front` one above all others. Answers with a
 * sentence; refuses a job that is no longer queued.
 */
export async function prioritizeJob(
  target: string,
  wanted: number | 'front',
  asking: JobChange,
): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const priority = wanted === 'front' ? await aboveOthers(job.jobId) : wanted
      if (!(await changePriority(tx, job.jobId, priority))) {
        const message = `It is ${job.status}: only queued jobs can be moved.`
        throw new AppError('conflict', message)
      }
      const detail = { jobId: job.jobId, from: job.priority, to: priority }
      const line = { actor, action: 'job.priority', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return wanted === 'front' ? 'It is first in the queue.' : `Its priority is ${priority}.`

      async function aboveOthers(jobId: string): Promise<number> {
        const highest = await highestPriority(tx, jobId)
        return highest === null ? job.priority : Math.max(job.priority, highest + 1)
      }
    }),
  )
}

/**
 * Puts a cancelled or failed job back in the queue under the same run: the runner continues with its plan minus what is
 * sealed. Answers with a sentence; of two who ask at once one is refused.
 */
export async function resumeJob(target: string, asking: JobChange): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    inTransaction(database(), async (tx) => {
      const job = await findJob(tx, target)
      const answer = await previewResume(tx, job)
      if (!answer.ok) throw new AppError('conflict', answer.reason)
      if (!(await requeueJob(tx, job.jobId))) throw new AppError('conflict', 'It has not finished.')
      const detail = { jobId: job.jobId, was: job.status, missing: answer.missing }
      const line = { actor, action: 'run.resume', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return `In the queue again. ${describeResume(answer)}`
    }),
  )
}

/** What resuming does, in numbers. */
export function describeResume({ missing, planned }: Extract<ResumeAnswer, { ok: true }>): string {
  if (missing === null || planned === null) return 'Freezes the plan and runs all of it.'
  const sealed = planned - missing
  const kept =
    sealed === 0
      ? 'none are finished yet'
      : `${countOf(sealed, 'finished episode is', 'finished episodes are')} kept`
  return `Runs ${missing} of ${countOf(planned, 'episode')}; ${kept}.`
}

/** Whether a job can be resumed, and with how many episodes; null = its plan was never frozen, so it is unknown yet. */
type ResumeAnswer =
  | { ok: true; missing: number | null; planned: number | null }
  | { ok: false; reason: string }

/** What resuming a job would run: its plan minus what is sealed. */
export async function previewResume(db: DbOrTx, job: Job): Promise<ResumeAnswer> {
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

function refuse(reason: string): ResumeAnswer {
  return { ok: false, reason }
}

/** The actor and time of a job's change. */
export type JobChange = { actor: Actor; now: Date; requestId?: string | null }

/** The job of this id (`job_…`), or the one that works on a run (`run_…`). Refuses with a sentence. */
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

/** What an audit line is about: the run once there is one. */
function auditTarget({ runId, jobId }: Job): string {
  return runId ?? jobId
}
