import type { EpisodeCell, RunSummary, RunView } from '#lib/domain/api/index.ts'
import {
  type Board,
  buildCountedFacts,
  buildGradingMetrics,
  countArms,
  countOwed,
  describeStop,
  findStop,
  formatConditions,
} from '#lib/domain/board/index.ts'
import {
  type AnyEpisode,
  countRunSlots,
  episodeFact,
  isFrozen,
  listKinds,
  type Provenance,
  type SubmittedRun,
  subjectLabel,
} from '#lib/domain/record/index.ts'
import { reproduceLines } from '#lib/domain/runs/index.ts'
import type { Suite } from '#lib/domain/tasks/index.ts'

/** Converts an attempt to a cell of the run's matrix. */
function toCell(episode: AnyEpisode): EpisodeCell {
  const { episodeId, taskId, repetition, attempt, outcome, failureCategory, effort } = episode
  const { status } = outcome
  return {
    episodeId,
    taskId,
    repetition,
    attempt,
    status,
    failureCategory,
    totalMs: effort.wall.totalMs,
  }
}

/** Attempts of a run in the order of the matrix. */
export function listCells({ episodes }: Pick<SubmittedRun, 'episodes'>): EpisodeCell[] {
  return episodes
    .map(toCell)
    .sort(
      (a, b) =>
        compareText(a.taskId, b.taskId) || a.repetition - b.repetition || a.attempt - b.attempt,
    )
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Summarises a finished run for a list. */
export function summariseRun(
  run: SubmittedRun,
  board: Board | null,
): RunSummary & { runId: string } {
  const { runId, plan, shard, episodes } = run
  const cells = listCells(run)
  const last = new Map(
    cells.map((cell) => [`${cell.taskId} ${cell.repetition} ${armOf(run, cell)}`, cell]),
  )
  const count = (status: EpisodeCell['status']) =>
    [...last.values()].filter((cell) => cell.status === status).length
  const planned = countRunSlots(plan, shard)
  const stop = findStop(board?.rows ?? [], run.runId)
  const owed = countOwed(planned, stop)
  const starts = episodes.map(({ startedAt }) => startedAt).sort()
  const cancelled = count('cancelled')
  return {
    jobId: null,
    runId,
    suiteId: plan.suiteId,
    subjectLabel: subjectLabel(plan.subject),
    condition: formatConditions(plan),
    status: last.size - cancelled >= owed ? 'done' : 'incomplete',
    reason: stop && describeStop(stop),
    planned,
    owed,
    sealed: last.size,
    solved: count('solved'),
    voids: count('void'),
    voidAttempts: cells.filter(({ status }) => status === 'void').length,
    cancelled,
    createdAt: starts[0] ?? '',
    startedAt: starts[0] ?? null,
    endedAt: null,
  }
}

function armOf({ episodes }: SubmittedRun, { episodeId }: EpisodeCell): string {
  return episodes.find((one) => one.episodeId === episodeId)?.subject.arm ?? ''
}

type ViewContext = {
  board: Board | null
  suite: Suite | null
  provenance: Provenance
}

/** A finished run with its plan and attempts. */
export function viewRun(run: SubmittedRun, { board, suite, provenance }: ViewContext): RunView {
  const { runId, plan, episodes } = run
  const facts = episodes.map((one) => episodeFact(one, provenance))
  const rows = board?.rows.filter(({ runIds }) => runIds.includes(runId)) ?? []
  return {
    ...summariseRun(run, board),
    plan,
    provenance,
    episodes: listCells(run),
    grading: buildGradingMetrics(listKinds(buildCountedFacts(facts).counted)) ?? null,
    row: rows[0] ?? null,
    ...(plan.arms && {
      armRows: rows.flatMap(({ rowId, label, subject: { arm } }) =>
        arm === undefined ? [] : [{ arm, rowId, label }],
      ),
      armCounts: countArms(plan, facts, findStop(rows, run.runId)),
    }),
    reproduce: isFrozen(plan) ? reproduceLines(plan, suite) : [],
  }
}
