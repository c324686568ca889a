import { listEpisodeCells } from '#lib/db/episode-store.ts'
import type { Job } from '#lib/db/job-store.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import { isFrozen } from '#lib/domain/plan.ts'
import { listOpenSlots } from '#lib/domain/queue/list-open-slots.ts'

/** Whether a job can go on, and with how much; null = its plan was never frozen, so nobody knows yet. */
export type ResumeAnswer =
  | { ok: true; missing: number | null; planned: number | null }
  | { ok: false; reason: string }

/** What resuming a job would run: its plan minus what is sealed. */
export async function askResume(db: DbOrTx, job: Job): Promise<ResumeAnswer> {
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
