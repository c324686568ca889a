import { findBoard } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { countProgress, listEpisodeCells, listRunFacts } from '#lib/db/episode-store.ts'
import { findJobOfRun } from '#lib/db/job-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { buildCountedFacts } from '#lib/domain/board/build-counted-facts.ts'
import { buildGradingFigures } from '#lib/domain/board/build-grading-figures.ts'
import { isFrozen } from '#lib/domain/plan.ts'
import { reproduceLines } from '#lib/domain/reproduce-lines.ts'
import type { RunView } from '#lib/domain/views/run-view.ts'
import { describeRun } from './describe-run.ts'

/** One run with its plan and every attempt; null = no such run. */
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
  return {
    ...describeRun(run, job, progress.get(runId)),
    plan: run.plan,
    provenance: run.provenance,
    episodes,
    grading: buildGradingFigures(buildCountedFacts(facts).counted) ?? null,
    row: snapshot ? findRow(snapshot.board, runId) : null,
    reproduce: isFrozen(run.plan) ? reproduceLines(run.plan, suite) : [],
  }
}

function findRow({ rows }: Board, runId: string): RunView['row'] {
  const row = rows.find(({ runIds }) => runIds.includes(runId))
  if (!row) return null
  const { rowId, label, refusals, success, runIds } = row
  return { rowId, label, refusals, success, runIds }
}
