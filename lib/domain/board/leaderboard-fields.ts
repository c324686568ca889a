import type { TableCell } from '../text/index.ts'
import type { BoardRow } from './board-row.ts'
import { commonVerifier, formatSurroundings } from './row-words.ts'

// The fields of a board's rows in files: used by `/api/v1/leaderboard/export`, its documentation, and the columns of the
// table (components/board/board-columns.tsx). Only types are imported from the schemas, since the browser loads this.

export type FieldValue = (row: BoardRow) => TableCell

/** Fields of the leaderboard's CSV file, in order: exact values, units in the name. */
export const LEADERBOARD_FIELDS = {
  row_id: (row) => row.rowId,
  suite: (row) => row.suiteId,
  suite_digest: (row) => row.suiteDigest,
  place: (row) => row.rank?.place ?? null,
  rank_low: (row) => row.rank?.low ?? null,
  rank_high: (row) => row.rank?.high ?? null,
  letters: (row) => row.rank?.letters ?? null,
  subject: (row) => row.subject.name,
  version: (row) => row.subject.version,
  provider: (row) => row.subject.provider,
  model: (row) => row.subject.modelRequested,
  driven: (row) => row.driven,
  label: (row) => row.label,
  refusals: (row) => row.refusals.map(({ code }) => code).join(' ') || null,
  provenance: (row) => row.provenance,
  success_rate: (row) => row.success.rate,
  success_low: (row) => row.success.low,
  success_high: (row) => row.success.high,
  interval_method: (row) => row.success.method,
  these_tasks_low: (row) => row.success.theseTasks?.low ?? null,
  these_tasks_high: (row) => row.success.theseTasks?.high ?? null,
  variance_within_tasks: (row) => row.success.variance?.within ?? null,
  variance_between_tasks: (row) => row.success.variance?.between ?? null,
  pass_hat_k: (row) => lastPoint(row)?.k ?? null,
  pass_hat_k_rate: (row) => lastPoint(row)?.rate ?? null,
  pass_hat_k_low: (row) => lastPoint(row)?.low ?? null,
  pass_hat_k_high: (row) => lastPoint(row)?.high ?? null,
  without_one_task_low: (row) => row.leaveOneOut?.task?.least.rate ?? null,
  without_one_task_high: (row) => row.leaveOneOut?.task?.most.rate ?? null,
  without_one_category_low: (row) => row.leaveOneOut?.category?.least.rate ?? null,
  without_one_category_high: (row) => row.leaveOneOut?.category?.most.rate ?? null,
  overall_success_rate: (row) => overallRate(row),
  tasks: (row) => row.success.tasks,
  scored_episodes: (row) => row.success.attempts,
  void_episodes: (row) => row.success.voids,
  void_attempts: (row) => row.voidAttempts ?? null,
  planned_episodes: (row) => row.plannedEpisodes,
  visible_passed: (row) => row.grading?.visiblePassed ?? null,
  held_out_tasks: (row) => row.grading?.heldOutTasks ?? null,
  held_out_scored: (row) => row.grading?.heldOutScored ?? null,
  held_out_passed: (row) => row.grading?.heldOutPassed ?? null,
  verifier_sandbox: ({ grading }) => (grading ? commonVerifier(grading, 'sandbox') : null),
  verifier_network: ({ grading }) => (grading ? commonVerifier(grading, 'network') : null),
  verifier_digest: ({ grading }) => (grading ? commonVerifier(grading, 'digest') : null),
  solved_p50_ms: (row) => row.solvedMs.p50,
  solved_p95_ms: (row) => row.solvedMs.p95,
  cost_per_success_micro_usd: (row) => row.costPerSuccessMicroUsd,
  tokens_per_success: (row) => row.tokensPerSuccess,
  runs: (row) => row.runIds.join(' '),
  first_started_at: (row) => row.firstStartedAt,
  last_started_at: (row) => row.lastStartedAt,
  arm: (row) => row.subject.arm ?? null,
  arm_digest: (row) => row.subject.armDigest ?? null,
  arm_used: (row) => row.activation?.used.yes ?? null,
  arm_used_known: (row) => row.activation?.used.known ?? null,
  conditions: formatSurroundings,
} as const satisfies Record<string, FieldValue>

export const LEADERBOARD_CSV_COLUMNS: readonly string[] = Object.keys(LEADERBOARD_FIELDS)

/** Returns all rows with all fields, with a heading row. */
export function leaderboardCells(rows: readonly BoardRow[]): TableCell[][] {
  const values: readonly FieldValue[] = Object.values(LEADERBOARD_FIELDS)
  return [[...LEADERBOARD_CSV_COLUMNS], ...rows.map((row) => values.map((value) => value(row)))]
}

/** Share of scored episodes with `overallSuccess`; null = unknown for at least one, or nothing was scored. */
export function overallRate({ overall }: Pick<BoardRow, 'overall'>): number | null {
  if (overall === undefined || overall.unknown > 0 || overall.scored === 0) return null
  return overall.succeeded / overall.scored
}

/** pass^k at the largest k that the row's repetitions allow. */
function lastPoint({ reliability }: BoardRow) {
  return reliability?.points.at(-1)
}
