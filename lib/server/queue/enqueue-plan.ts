import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { DbOrTx, Tx } from '../../db/db.ts'
import { enqueueJob, findJobOfRun, type Job, listActiveJobs } from '../../db/job-store.ts'
import { parsePlan } from '../../db/plan-store.ts'
import { readBoardInput } from '../../db/refresh-board.ts'
import { copyRegradesOf } from '../../db/regrade-store.ts'
import { findRun } from '../../db/run-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { RunOffer, RunOffers, RunView } from '../../domain/api/index.ts'
import { canonicalJson } from '../../domain/digest/index.ts'
import { planRerun, type Rerun, SUITE_CHANGED, type TopUpGoal } from '../../domain/planner/index.ts'
import { countSlots, freezePlan, type Plan } from '../../domain/record/index.ts'
import { countOf } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { freezeTopUp, getTopUp } from '../board/get-top-up.ts'
import { getRun } from '../runs/runs.ts'
import { describeResume, type JobChange, previewResume } from './change-job.ts'

type TopUpPlan = Plan & { topUpOf: NonNullable<Plan['topUpOf']> }
type Row = { rowId: string; runIds: readonly string[] }

/**
 * Queues a frozen top-up with the concurrency and spend cap of the run it adds to. Throws while another job may still
 * fill the same slots, so that two clicks queue one.
 */
async function enqueuePlan(
  tx: Tx,
  plan: TopUpPlan,
  { row, action, change }: { row: Row; action: string; change: JobChange },
): Promise<string> {
  const refusal = await findUnderWay(tx, row)
  if (refusal) throw new AppError('conflict', refusal)
  const { actor, now, requestId = null } = change
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

/**
 * Describes why the missing episodes of a row are not certain: one of its runs, or a top-up, is still running. Null =
 * they are.
 */
async function findUnderWay(db: DbOrTx, { rowId, runIds }: Row): Promise<string | null> {
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

/** Returns the job of the latest of these runs that was started here. */
async function findModel(tx: DbOrTx, runIds: readonly string[]): Promise<Job | null> {
  for (const runId of runIds.toReversed()) {
    const job = await findJobOfRun(tx, runId)
    if (job) return job
  }
  return null
}

/**
 * Queues new attempts for the episodes of a run that failed because of this machine or the harness, never because of
 * the subject. Returns a message. Throws an AppError.
 */
export async function rerun(runId: string, change: JobChange): Promise<string> {
  await copyRegradesOf(database(), env().runsDir, runId)
  // Reads the whole suite, so before the transaction, where other writers would wait.
  const found = await askRerun(database(), runId)
  if (!found.ok) throw new AppError('conflict', found.reason)
  const { draft, episodes } = found
  const { topUpOf } = draft
  const plan = { ...freezePlan(draft, { now: change.now.toISOString() }), topUpOf }
  await withDatabaseErrors(() =>
    inTransaction(database(), (tx) =>
      enqueuePlan(tx, plan, { row: topUpOf, action: 'run.rerun', change }),
    ),
  )
  return `Queued ${countOf(episodes, 'episode')} as new attempts in a new run.`
}

/** Builds the plan that reruns a run's infrastructure failures. */
async function askRerun(db: DbOrTx, runId: string): Promise<Rerun> {
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

/** Target of a top-up: a row, or the row of a run. */
type TopUpTarget = { rowId: string } | { runId: string }

/** Freezes what a row lacks and queues it as a separate job. Returns a message. Throws an AppError. */
export async function topUp(
  target: TopUpTarget,
  goal: TopUpGoal,
  change: JobChange,
): Promise<string> {
  const rowId = 'rowId' in target ? target.rowId : await findRowId(target.runId)
  const plan = await freezeTopUp(rowId, goal, change.now.toISOString())
  const { topUpOf } = plan
  if (!topUpOf) throw new Error('a top-up says what it tops up')
  const frozen: TopUpPlan = { ...plan, topUpOf }
  await withDatabaseErrors(() =>
    inTransaction(database(), (tx) =>
      enqueuePlan(tx, frozen, { row: topUpOf, action: 'run.top-up', change }),
    ),
  )
  const { length: tasks } = plan.tasks
  return `Queued ${countOf(countSlots(plan), 'episode')} on ${countOf(tasks, 'task')} with the settings of this entry.`
}

async function findRowId(runId: string): Promise<string> {
  const run = await getRun(runId)
  if (!run) throw new AppError('not-found', `no run ${runId.slice(0, 80)} is known here`)
  if (run.row) return run.row.rowId
  throw new AppError('conflict', 'The run has no entry on the current leaderboard yet.')
}

const NO_JOB = 'The run was not started by this server.'
const NOT_ENDED = 'The run has not finished yet.'

/**
 * Returns the actions that an administrator can take on a run: what each would do in numbers, or why it is not
 * available.
 */
export async function getRunOffers(run: RunView, now: Date): Promise<RunOffers> {
  const db = database()
  const job = await findJobOfRun(db, run.runId)
  const isActive = job?.status === 'queued' || job?.status === 'running'
  return {
    cancel: offerCancel(job),
    resume: await offerResume(db, job),
    topUp: isActive ? refuse(TOP_UP, NOT_ENDED) : await offerTopUp(db, run, now),
    rerun: isActive ? refuse(RERUN, NOT_ENDED) : await offerRerun(db, run.runId),
  }
}

const TOP_UP = 'Runs the episodes that this entry still needs to be ranked.'
const RERUN =
  'Repeats only episodes that failed because of the infrastructure or the harness, never failures of the agent.'

/** Contains no numbers: episodes finish while the sentence is read. */
function offerCancel(job: Job | null): RunOffer {
  const says = 'Stops the run now. Finished episodes are kept, the others will not run.'
  if (!job) return refuse(says, NO_JOB)
  if (job.status !== 'queued' && job.status !== 'running')
    return refuse(says, 'It has already finished.')
  const isStopping = job.cancelRequestedAt !== null
  return { says, refusal: isStopping ? 'It is already stopping.' : null }
}

async function offerResume(db: DbOrTx, job: Job | null): Promise<RunOffer> {
  const says = 'Runs the unfinished episodes.'
  if (!job) return refuse(says, NO_JOB)
  const result = await previewResume(db, job)
  return result.ok ? { says: describeResume(result), refusal: null } : refuse(says, result.reason)
}

async function offerTopUp(db: DbOrTx, { row }: RunView, now: Date): Promise<RunOffer> {
  if (!row) return refuse(TOP_UP, 'The run has no entry on the current leaderboard.')
  const view = await getTopUp(row.rowId, { kind: 'aggregate' }, now.toISOString())
  if (!view) return refuse(TOP_UP, 'The run has no entry on the current leaderboard.')
  if (!view.result.ok) return refuse(TOP_UP, view.result.refusal.reason)
  const { episodes, needs } = view.result
  const tasks = needs.filter(({ planned }) => planned.length > 0).length
  const says = `Runs ${countOf(episodes, 'new episode')} on ${tasks} of ${countOf(needs.length, 'task')}, as a new run.`
  return { says, refusal: await findUnderWay(db, row) }
}

async function offerRerun(db: DbOrTx, runId: string): Promise<RunOffer> {
  const rerun = await askRerun(db, runId)
  if (!rerun.ok) return refuse(RERUN, rerun.reason)
  const says = `Runs ${rerun.episodes} of ${countOf(rerun.of, 'episode')} again, as a new run.`
  return { says, refusal: null }
}

function refuse(says: string, refusal: string): RunOffer {
  return { says, refusal }
}
