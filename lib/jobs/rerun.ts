import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { findJobOfRun } from '#lib/db/job-store.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { readBoardInput } from '#lib/db/read-board-input.ts'
import { findRun } from '#lib/db/run-store.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { freezePlan } from '#lib/domain/plan.ts'
import { planRerun, type Rerun } from '#lib/domain/planner/plan-rerun.ts'
import { SUITE_CHANGED } from '#lib/domain/planner/plan-top-up.ts'
import { AppError } from '#lib/errors.ts'
import { enqueuePlan, findUnderWay } from './enqueue-plan.ts'
import type { Asking } from './find-job.ts'

/**
 * Queues new attempts for the episodes of a run that our machine or our harness spoilt, and for nothing the subject
 * failed. Answers with a sentence, or refuses with one.
 */
export async function rerun(runId: string, asking: Asking): Promise<string> {
  const now = asking.now.toISOString()
  const answer = await withDatabaseErrors(() =>
    database().$transaction(async (tx) => {
      const found = await askRerun(tx, runId)
      if (!found.ok) throw new AppError('conflict', found.reason)
      const plan = { ...freezePlan(found.draft, { now }), topUpOf: found.draft.topUpOf }
      await enqueuePlan(tx, plan, { row: plan.topUpOf, action: 'run.rerun', asking })
      return found
    }),
  )
  const { episodes } = answer
  return `Queued ${episodes} ${episodes === 1 ? 'episode' : 'episodes'} as new attempts in a new run.`
}

/** What rerunning a run's own trouble would plan. */
export async function askRerun(db: DbOrTx, runId: string): Promise<Rerun> {
  const run = await findRun(db, runId)
  if (!run) return { ok: false, reason: `No run ${runId.slice(0, 80)} is known here.` }
  const job = await findJobOfRun(db, runId)
  if (job && job.status !== 'done') return { ok: false, reason: NOT_DONE[job.status] }
  const suite = await findSuite(db, run.plan.suiteId)
  if (suite?.digest !== run.plan.suiteDigest) return { ok: false, reason: SUITE_CHANGED.reason }
  const result = planRerun((await readBoardInput(db, suite)).input, runId)
  const busy = result.ok ? await findUnderWay(db, result.draft.topUpOf) : null
  return busy === null ? result : { ok: false, reason: busy }
}

const RESUME = 'The run did not finish. Resume it, which also repeats these episodes.'
const NOT_DONE = {
  queued: 'The run has not finished yet.',
  running: 'The run has not finished yet.',
  cancelled: RESUME,
  failed: RESUME,
} as const
