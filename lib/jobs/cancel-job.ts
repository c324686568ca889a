import { recordAudit } from '#lib/db/audit-store.ts'
import { requestCancel } from '#lib/db/change-job.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import type { Job } from '#lib/db/job-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { type Asking, auditTarget, findJob } from './find-job.ts'

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
export async function cancelJob(target: string, asking: Asking): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    database().$transaction(async (tx) => {
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
