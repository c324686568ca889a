import { database } from '#lib/db/database.ts'
import { countProgress } from '#lib/db/episode-store.ts'
import { listJobsOfRuns, listJobsWithoutRun } from '#lib/db/job-store.ts'
import { listRuns as listKeptRuns } from '#lib/db/run-store.ts'
import type { RunSummary } from '#lib/domain/views/run-view.ts'
import { describeJob, describeRun } from './describe-run.ts'

const DEFAULT_LIMIT = 50

export type RunFilter = { suiteId?: string | undefined; limit?: number | undefined }

/** Runs and waiting jobs, newest first. */
export async function listRuns({
  suiteId,
  limit = DEFAULT_LIMIT,
}: RunFilter = {}): Promise<RunSummary[]> {
  const db = database()
  const [runs, waiting] = await Promise.all([
    listKeptRuns(db, { limit, suiteId }),
    listJobsWithoutRun(db, limit),
  ])
  const runIds = runs.map(({ runId }) => runId)
  const [jobs, progress] = await Promise.all([
    listJobsOfRuns(db, runIds),
    countProgress(db, runIds),
  ])
  const jobOf = new Map(jobs.map((job) => [job.runId, job]))
  const kept = runs.map((run) =>
    describeRun(run, jobOf.get(run.runId) ?? null, progress.get(run.runId)),
  )
  const asked = waiting.map(describeJob).filter((job) => !suiteId || job.suiteId === suiteId)
  return [...asked, ...kept].sort(newestFirst).slice(0, limit)
}

function newestFirst(a: RunSummary, b: RunSummary): number {
  if (a.createdAt === b.createdAt) return 0
  return a.createdAt < b.createdAt ? 1 : -1
}
