import { recordAudit } from '#lib/db/audit-store.ts'
import { changePriority, highestPriority } from '#lib/db/change-job.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { AppError } from '#lib/errors.ts'
import { type Asking, auditTarget, findJob } from './find-job.ts'

/**
 * Gives a queued job another priority (higher goes first), or with `front` one above all others. Answers with a
 * sentence; refuses a job that is no longer queued.
 */
export async function prioritizeJob(
  target: string,
  wanted: number | 'front',
  asking: Asking,
): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    database().$transaction(async (tx) => {
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
