import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { countSlots } from '#lib/domain/expand-plan.ts'
import type { TopUpGoal } from '#lib/domain/planner/list-task-needs.ts'
import { AppError } from '#lib/errors.ts'
import { freezeTopUp } from '#lib/planner/get-top-up.ts'
import { getRun } from '#lib/runs/get-run.ts'
import { enqueuePlan, type TopUpPlan } from './enqueue-plan.ts'
import type { Asking } from './find-job.ts'

/** What to top up: a row, or the row that a run counts in. */
export type TopUpTarget = { rowId: string } | { runId: string }

/** Freezes what a row lacks and queues it as a job of its own. Answers with a sentence, or refuses with one. */
export async function topUp(target: TopUpTarget, goal: TopUpGoal, asking: Asking): Promise<string> {
  const rowId = 'rowId' in target ? target.rowId : await findRowId(target.runId)
  const plan = await freezeTopUp(rowId, goal, asking.now.toISOString())
  const { topUpOf } = plan
  if (!topUpOf) throw new Error('a top-up says what it tops up')
  const frozen: TopUpPlan = { ...plan, topUpOf }
  await withDatabaseErrors(() =>
    database().$transaction((tx) =>
      enqueuePlan(tx, frozen, { row: topUpOf, action: 'run.top-up', asking }),
    ),
  )
  const { length: tasks } = plan.tasks
  return `Queued ${countSlots(plan)} episodes on ${tasks} ${tasks === 1 ? 'task' : 'tasks'} with the settings of this entry.`
}

async function findRowId(runId: string): Promise<string> {
  const run = await getRun(runId)
  if (!run) throw new AppError('not-found', `no run ${runId.slice(0, 80)} is known here`)
  if (run.row) return run.row.rowId
  throw new AppError('conflict', 'The run has no entry on the current leaderboard yet.')
}
