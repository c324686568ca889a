import type { Progress } from '#lib/db/episode-store.ts'
import type { Job } from '#lib/db/job-store.ts'
import type { RunRecord } from '#lib/db/run-store.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import { subjectLabel } from '#lib/domain/subject.ts'
import type { RunSummary } from '#lib/domain/views/run-view.ts'

const NOTHING_YET: Progress = { sealed: 0, solved: 0, voids: 0, voidAttempts: 0 }

/** A kept run in a list. Without a job it was run by hand or sent in, so nothing more is to come. */
export function describeRun(run: RunRecord, job: Job | null, progress = NOTHING_YET) {
  const { runId, plan } = run
  return {
    jobId: job?.jobId ?? null,
    runId,
    suiteId: plan.suiteId,
    subjectLabel: subjectLabel(plan.subject),
    status: job?.status ?? 'done',
    reason: job && reasonOf(job),
    planned: countSlots(plan),
    ...progress,
    createdAt: job?.createdAt ?? run.createdAt,
    startedAt: job?.startedAt ?? run.createdAt,
    endedAt: job?.endedAt ?? null,
  } satisfies RunSummary
}

/** A job whose plan is not frozen yet: `planned` is 0 while nobody knows how many tasks there will be. */
export function describeJob(job: Job): RunSummary {
  const { payload } = job
  return {
    jobId: job.jobId,
    runId: null,
    suiteId: payload.suiteId,
    subjectLabel: payload.subject,
    status: job.status,
    reason: reasonOf(job),
    planned: (payload.tasks?.length ?? 0) * payload.repetitions,
    ...NOTHING_YET,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
  }
}

/** Until its worker has let go of it, a cancelled job is still at work. */
function reasonOf({ status, reason, cancelRequestedAt }: Job): string | null {
  if (cancelRequestedAt === null || (status !== 'queued' && status !== 'running')) return reason
  return 'Being stopped; what is sealed is kept.'
}
