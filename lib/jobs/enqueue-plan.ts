import { recordAudit } from '#lib/db/audit-store.ts'
import { enqueueJob, findJobOfRun, type Job } from '#lib/db/job-store.ts'
import { listActiveJobs } from '#lib/db/list-queue.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import type { Plan } from '#lib/domain/plan.ts'
import { AppError } from '#lib/errors.ts'
import type { Asking } from './find-job.ts'

export type TopUpPlan = Plan & { topUpOf: NonNullable<Plan['topUpOf']> }
type Row = { rowId: string; runIds: readonly string[] }

/**
 * Queues a frozen top-up with the hands and the spend cap of the run it adds to. Refuses while another job may still
 * fill the same holes, so that two clicks queue one.
 */
export async function enqueuePlan(
  tx: DbOrTx,
  plan: TopUpPlan,
  { row, action, asking }: { row: Row; action: string; asking: Asking },
): Promise<string> {
  const refusal = await findUnderWay(tx, row)
  if (refusal) throw new AppError('conflict', refusal)
  const { actor, now, requestId = null } = asking
  const { suiteId, planDigest, subject, repetitions, topUpOf } = plan
  const model = await findModel(tx, row.runIds)
  const payload = {
    suiteId,
    subject: subject.name,
    repetitions,
    tasks: plan.tasks.map(({ taskId }) => taskId),
    concurrency: model?.concurrency ?? 1,
    ...(model?.payload.spendCapMicroUsd && { spendCapMicroUsd: model.payload.spendCapMicroUsd }),
  }
  const jobId = await enqueueJob(tx, payload, now, {
    provider: subject.provider,
    frozen: { plan: canonicalJson(plan), planDigest },
    requestedBy: actor.name,
  })
  const detail = { jobId, planDigest, episodes: countSlots(plan), ...topUpOf }
  await recordAudit(tx, { actor, action, target: jobId, detail, requestId }, now)
  return jobId
}

/** Why what a row lacks is not known for certain now: one of its runs, or a top-up of it, is still under way. */
export async function findUnderWay(db: DbOrTx, { rowId, runIds }: Row): Promise<string | null> {
  for (const job of await listActiveJobs(db)) {
    const own = job.runId ?? job.newRunId
    if (own && runIds.includes(own))
      return `${own} of this entry has not finished: wait, or cancel it.`
    if (job.plan === null) continue
    if (parsePlan(JSON.parse(job.plan)).topUpOf?.rowId !== rowId) continue
    return `A top-up of this entry is already ${job.status}.`
  }
  return null
}

/** The job of the latest of these runs that was started here. */
async function findModel(tx: DbOrTx, runIds: readonly string[]): Promise<Job | null> {
  for (const runId of runIds.toReversed()) {
    const job = await findJobOfRun(tx, runId)
    if (job) return job
  }
  return null
}
