import { recordAudit } from '#lib/db/audit-store.ts'
import { requeueJob } from '#lib/db/change-job.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { AppError } from '#lib/errors.ts'
import { askResume, type ResumeAnswer } from './ask-resume.ts'
import { type Asking, auditTarget, findJob } from './find-job.ts'

/**
 * Puts a cancelled or failed job back in the queue under the same run: the runner goes on with its plan minus what is
 * sealed. Answers with a sentence; of two who ask at once one is refused.
 */
export async function resumeJob(target: string, asking: Asking): Promise<string> {
  const { actor, now, requestId = null } = asking
  return withDatabaseErrors(() =>
    database().$transaction(async (tx) => {
      const job = await findJob(tx, target)
      const answer = await askResume(tx, job)
      if (!answer.ok) throw new AppError('conflict', answer.reason)
      if (!(await requeueJob(tx, job.jobId))) throw new AppError('conflict', 'It has not finished.')
      const detail = { jobId: job.jobId, was: job.status, missing: answer.missing }
      const line = { actor, action: 'run.resume', target: auditTarget(job), detail, requestId }
      await recordAudit(tx, line, now)
      return `In the queue again. ${sayResume(answer)}`
    }),
  )
}

/** What resuming does, in numbers. */
export function sayResume({ missing, planned }: Extract<ResumeAnswer, { ok: true }>): string {
  if (missing === null || planned === null) return 'Freezes the plan and runs all of it.'
  const sealed = planned - missing
  const kept = sealed === 0 ? 'none are finished yet' : `${sealed} finished episodes are kept`
  return `Runs ${missing} of ${planned} episodes; ${kept}.`
}
