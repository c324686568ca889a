import { findJob as findJobById, findJobOfRun, type Job } from '#lib/db/job-store.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { findRun } from '#lib/db/run-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'

/** Who asks for a change of a job, and when. */
export type Asking = { actor: Actor; now: Date; requestId?: string | null }

/** The job of this id (`job_…`), or the one that works on a run (`run_…`). Refuses with a sentence. */
export async function findJob(tx: DbOrTx, target: string): Promise<Job> {
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
export function auditTarget({ runId, jobId }: Job): string {
  return runId ?? jobId
}
