import { findBoard } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import type { DbOrTx } from '../../db/db.ts'
import {
  countProgress,
  listEpisodeCells,
  listRunFacts,
  type Progress,
} from '../../db/episode-store.ts'
import { findJobOfRun, type Job, listJobsOfRuns } from '../../db/job-store.ts'
import { findRun, listQueuedJobsAfter, listRunsAfter, type RunRecord } from '../../db/run-store.ts'
import { findSubmission } from '../../db/submission-store.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import {
  endPage,
  type RunSummary,
  type RunView,
  type SubmissionView,
} from '../../domain/api/index.ts'
import {
  type Board,
  buildCountedFacts,
  buildGradingMetrics,
  countArms,
  countOwed,
  describeStop,
  findStop,
  formatConditions,
  type StopDecision,
} from '../../domain/board/index.ts'
import { countRunSlots, isFrozen, listKinds, subjectLabel } from '../../domain/record/index.ts'
import { reproduceLines } from '../../domain/runs/index.ts'
import { byStamp } from '../board/by-stamp.ts'
import { parsePlace } from '../http/list-place.ts'

type Place = readonly [at: string, id: string]
type Listed = { key: Place; run: RunSummary }

/** Lists a page of runs and waiting jobs, latest first; `last` = where the next page starts. */
export async function listRunPage(
  { suiteId }: { suiteId?: string | undefined },
  { after, limit }: { after: Place | null; limit: number },
): Promise<{ items: RunSummary[]; last: Place | null }> {
  const db = database()
  const order = { suiteId, after, limit: limit + 1 }
  const [runs, waiting] = await Promise.all([
    listRunsAfter(db, order),
    listQueuedJobsAfter(db, order),
  ])
  const runIds = runs.map(({ runId }) => runId)
  const [jobs, progress, stops] = await Promise.all([
    listJobsOfRuns(db, runIds),
    countProgress(db, runIds),
    findStops(db, runs),
  ])
  const jobOf = new Map(jobs.map((job) => [job.runId, job]))
  const listed = runs.map((run): Listed => {
    const { runId, createdAt } = run
    const summary = describeRun(
      run,
      jobOf.get(runId) ?? null,
      progress.get(runId),
      stops.get(runId),
    )
    return { key: [createdAt, runId], run: summary }
  })
  const requested = waiting.map((job): Listed => {
    return { key: [job.createdAt, job.jobId], run: describeJob(job) }
  })
  const { items, last } = endPage(
    [...requested, ...listed].sort(latestFirst),
    (listed) => listed.key,
    limit,
  )
  return { items: items.map(({ run }) => run), last }
}

/** As many as one page lists. */
export const MAX_LISTED_RUNS = 100

/** The same while nothing changes, for pages; a cursor that is none starts at the beginning. */
export const listRuns = byStamp('run pages', (suiteId: string | null, cursor: string | null) => {
  const after = cursor === null ? null : parsePlace(cursor)
  return listRunPage({ suiteId: suiteId ?? undefined }, { after, limit: MAX_LISTED_RUNS })
})

function latestFirst({ key: a }: Listed, { key: b }: Listed): number {
  if (a[0] === b[0]) return a[1] < b[1] ? 1 : -1
  return a[0] < b[0] ? 1 : -1
}

/** Returns one run with its plan and every attempt; null = no such run. */
export async function getRun(runId: string): Promise<RunView | null> {
  const db = database()
  const run = await findRun(db, runId)
  if (!run) return null
  const [job, progress, episodes, facts, suite, snapshot] = await Promise.all([
    findJobOfRun(db, runId),
    countProgress(db, [runId]),
    listEpisodeCells(db, { runId }),
    listRunFacts(db, runId),
    findSuiteVersion(db, run.plan.suiteDigest),
    findBoard(db, run.plan.suiteDigest),
  ])
  const stop = findStop(snapshot?.board.rows ?? [], runId)
  return {
    ...describeRun(run, job, progress.get(runId), stop),
    plan: run.plan,
    provenance: run.provenance,
    episodes,
    grading: buildGradingMetrics(listKinds(buildCountedFacts(facts).counted)) ?? null,
    row: snapshot ? findRow(snapshot.board, runId) : null,
    ...(run.plan.arms && {
      armRows: listArmRows(snapshot?.board, runId),
      armCounts: countArms(run.plan, facts, stop),
    }),
    reproduce: isFrozen(run.plan) ? reproduceLines(run.plan, suite) : [],
  }
}

function findRow({ rows }: Board, runId: string): RunView['row'] {
  const row = rows.find(({ runIds }) => runIds.includes(runId))
  if (!row) return null
  const { rowId, label, refusals, success, runIds } = row
  return { rowId, label, refusals, success, runIds }
}

function listArmRows(board: Board | undefined, runId: string): NonNullable<RunView['armRows']> {
  const own = board?.rows.filter(({ runIds }) => runIds.includes(runId)) ?? []
  return own.flatMap(({ rowId, label, subject: { arm } }) =>
    arm === undefined ? [] : [{ arm, rowId, label }],
  )
}

/** Returns the sender of a run; null = no program sent it. */
export async function getSubmission(runId: string): Promise<SubmissionView | null> {
  return findSubmission(database(), runId)
}

const NOTHING_YET: Progress = { sealed: 0, solved: 0, voids: 0, voidAttempts: 0, cancelled: 0 }

/** Finds the decisions by which runs stopped, as stored on their boards. */
export async function findStops(
  db: DbOrTx,
  runs: readonly RunRecord[],
): Promise<Map<string, StopDecision>> {
  const stopping = runs.filter(({ plan }) => isFrozen(plan) && plan.stop !== undefined)
  const found = await Promise.all(
    stopping.map(async (run) => {
      const snapshot = await findBoard(db, run.plan.suiteDigest)
      const stop = findStop(snapshot?.board.rows ?? [], run.runId)
      return stop ? ([[run.runId, stop]] as const) : []
    }),
  )
  return new Map(found.flat())
}

/** Describes a stored run for a list. Without a job it was run by hand or uploaded, so nothing more will arrive. */
export function describeRun(
  run: RunRecord,
  job: Job | null,
  progress = NOTHING_YET,
  stop: StopDecision | null = null,
) {
  const { runId, plan, shard } = run
  const planned = countRunSlots(plan, shard)
  const owed = countOwed(planned, stop)
  const isWhole = progress.sealed - progress.cancelled >= owed
  return {
    jobId: job?.jobId ?? null,
    runId,
    suiteId: plan.suiteId,
    subjectLabel: subjectLabel(plan.subject),
    condition: formatConditions(plan),
    status: job?.status ?? (isWhole ? 'done' : 'incomplete'),
    reason: (job && reasonOf(job)) ?? (stop && describeStop(stop)),
    planned,
    owed,
    ...progress,
    createdAt: job?.createdAt ?? run.createdAt,
    startedAt: job?.startedAt ?? run.createdAt,
    endedAt: job?.endedAt ?? null,
  } satisfies RunSummary
}

/** Describes a job without a frozen plan: `planned` is 0 while the number of tasks is unknown. */
export function describeJob(job: Job): RunSummary {
  const { payload } = job
  const planned = (payload.tasks?.length ?? 0) * payload.repetitions
  return {
    jobId: job.jobId,
    runId: null,
    suiteId: payload.suiteId,
    subjectLabel: payload.subject,
    condition: null,
    status: job.status,
    reason: reasonOf(job),
    planned,
    owed: planned,
    ...NOTHING_YET,
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    endedAt: job.endedAt,
  }
}

/** Returns a job's reason. A cancelled job is still running until its worker has released it. */
function reasonOf({ status, reason, cancelRequestedAt }: Job): string | null {
  if (cancelRequestedAt === null || (status !== 'queued' && status !== 'running')) return reason
  return 'Stopping. Sealed episodes stay.'
}
