import { database } from '#lib/db/database.ts'
import { countProgress } from '#lib/db/episode-store.ts'
import { findJobOfRun } from '#lib/db/job-store.ts'
import { findRun, type RunRecord } from '#lib/db/run-store.ts'
import { sumAttempts } from '#lib/db/run-totals.ts'
import { estimateLeft } from '#lib/domain/live/estimate-left.ts'
import type { RunState } from '#lib/domain/views/live-view.ts'
import { describeRun } from '../describe-run.ts'

/** How a run stands now, its cost and what is left of it; null = no such run. A known `run` is not read again. */
export async function readRunState(
  runId: string,
  known: RunRecord | null = null,
): Promise<RunState | null> {
  const db = database()
  const run = known ?? (await findRun(db, runId))
  if (!run) return null
  const [job, progress, { times, spend }] = await Promise.all([
    findJobOfRun(db, runId),
    countProgress(db, [runId]),
    sumAttempts(db, runId),
  ])
  const summary = describeRun(run, job, progress.get(runId))
  const { status, reason, planned, sealed, solved, voids, voidAttempts, startedAt, endedAt } =
    summary
  const hands = job?.payload.concurrency ?? 1
  const left =
    status === 'running' ? estimateLeft(times, { remaining: planned - sealed, hands }) : null
  return {
    status,
    reason,
    planned,
    sealed,
    solved,
    voids,
    voidAttempts,
    startedAt,
    endedAt,
    spend,
    left: left && { ...left, hands },
  }
}
