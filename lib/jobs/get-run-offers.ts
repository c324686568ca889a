import { database } from '#lib/db/database.ts'
import { findJobOfRun, type Job } from '#lib/db/job-store.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import type { RunOffer, RunOffers } from '#lib/domain/views/queue-view.ts'
import type { RunView } from '#lib/domain/views/run-view.ts'
import { getTopUp } from '#lib/planner/get-top-up.ts'
import { askResume } from './ask-resume.ts'
import { findUnderWay } from './enqueue-plan.ts'
import { askRerun } from './rerun.ts'
import { sayResume } from './resume-job.ts'

const NO_JOB = 'The run was not started by this server.'
const NOT_ENDED = 'The run has not finished yet.'

/** What an administrator can do with a run now: what each would do in numbers, or why it makes no sense. */
export async function getRunOffers(run: RunView, now: Date): Promise<RunOffers> {
  const db = database()
  const job = await findJobOfRun(db, run.runId)
  const isActive = job?.status === 'queued' || job?.status === 'running'
  return {
    cancel: offerCancel(run, job),
    resume: await offerResume(db, job),
    topUp: isActive ? refuse(TOP_UP, NOT_ENDED) : await offerTopUp(db, run, now),
    rerun: isActive ? refuse(RERUN, NOT_ENDED) : await offerRerun(db, run.runId),
  }
}

const TOP_UP = 'Runs the episodes that this entry still needs to be ranked.'
const RERUN =
  'Repeats only episodes that failed because of the infrastructure or the harness, never failures of the agent.'

function offerCancel({ sealed, planned }: RunView, job: Job | null): RunOffer {
  const says = `Stops the run now: ${sealed} of ${planned} episodes are finished and kept, ${planned - sealed} will not run.`
  if (!job) return refuse(says, NO_JOB)
  if (job.status !== 'queued' && job.status !== 'running')
    return refuse(says, 'It has already finished.')
  const isStopping = job.cancelRequestedAt !== null
  return { says, refusal: isStopping ? 'It is already stopping.' : null }
}

async function offerResume(db: DbOrTx, job: Job | null): Promise<RunOffer> {
  const says = 'Runs the unfinished episodes.'
  if (!job) return refuse(says, NO_JOB)
  const answer = await askResume(db, job)
  return answer.ok ? { says: sayResume(answer), refusal: null } : refuse(says, answer.reason)
}

async function offerTopUp(db: DbOrTx, { row }: RunView, now: Date): Promise<RunOffer> {
  if (!row) return refuse(TOP_UP, 'The run has no entry on the current leaderboard.')
  const view = await getTopUp(row.rowId, { kind: 'aggregate' }, now.toISOString())
  if (!view) return refuse(TOP_UP, 'The run has no entry on the current leaderboard.')
  if (!view.result.ok) return refuse(TOP_UP, view.result.refusal.reason)
  const { episodes, needs } = view.result
  const tasks = needs.filter(({ planned }) => planned.length > 0).length
  const says = `Runs ${count(episodes, 'new episode')} on ${tasks} of ${count(needs.length, 'task')}, as a new run.`
  return { says, refusal: await findUnderWay(db, row) }
}

async function offerRerun(db: DbOrTx, runId: string): Promise<RunOffer> {
  const answer = await askRerun(db, runId)
  if (!answer.ok) return refuse(RERUN, answer.reason)
  const says = `Runs ${answer.episodes} of ${count(answer.of, 'episode')} again, as a new run.`
  return { says, refusal: null }
}

function count(size: number, one: string): string {
  return `${size} ${size === 1 ? one : `${one}s`}`
}

function refuse(says: string, refusal: string): RunOffer {
  return { says, refusal }
}
