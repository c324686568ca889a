import { getBoard } from '#lib/board/get-board.ts'
import type { Board, BoardRow } from '#lib/domain/board/board-row.ts'
import { commonVerifier } from '#lib/domain/board/grading-figures.ts'
import type { BoardFormat } from '#lib/domain/export/export-formats.ts'
import { type TableCell, toCsv } from '#lib/domain/export/table-text.ts'
import { gradingDetails, toEee } from '#lib/domain/export/write-eee.ts'
import { AppError } from '#lib/errors.ts'
import { ownVersion } from '#lib/own-version.ts'

/** A suite's rows as a file: a line each, claims first as on the board. */
export async function exportBoard(
  suiteId: string,
  version: string | null,
  format: BoardFormat,
): Promise<{ name: string; type: string; text: string }> {
  const board = await getBoard(suiteId, version)
  if (!board) throw new AppError('not-found', `no board of suite ${suiteId} is kept here`)
  const name = `leaderboard-${suiteId}`
  if (format === 'csv')
    return { name: `${name}.csv`, type: 'text/csv', text: toCsv(toCells(board)) }
  const lines = board.rows.map((row) => JSON.stringify(format === 'eee' ? rowToEee(row) : row))
  const ending = format === 'eee' ? 'eee.jsonl' : 'jsonl'
  const text = lines.map((line) => `${line}\n`).join('')
  return { name: `${name}.${ending}`, type: 'application/x-ndjson', text }
}

type Column = readonly [string, (row: BoardRow) => TableCell]

const COLUMNS: readonly Column[] = [
  ['row_id', (row) => row.rowId],
  ['suite', (row) => row.suiteId],
  ['suite_digest', (row) => row.suiteDigest],
  ['place', (row) => row.rank?.place ?? null],
  ['rank_low', (row) => row.rank?.low ?? null],
  ['rank_high', (row) => row.rank?.high ?? null],
  ['letters', (row) => row.rank?.letters ?? null],
  ['subject', (row) => row.subject.name],
  ['version', (row) => row.subject.version],
  ['provider', (row) => row.subject.provider],
  ['model', (row) => row.subject.modelRequested],
  ['driven', (row) => row.driven],
  ['label', (row) => row.label],
  ['refusals', (row) => row.refusals.map(({ code }) => code).join(' ') || null],
  ['provenance', (row) => row.provenance],
  ['success_rate', (row) => row.success.rate],
  ['success_low', (row) => row.success.low],
  ['success_high', (row) => row.success.high],
  ['interval_method', (row) => row.success.method],
  ['these_tasks_low', (row) => row.success.theseTasks?.low ?? null],
  ['these_tasks_high', (row) => row.success.theseTasks?.high ?? null],
  ['variance_within_tasks', (row) => row.success.variance?.within ?? null],
  ['variance_between_tasks', (row) => row.success.variance?.between ?? null],
  ['pass_hat_k', (row) => lastPoint(row)?.k ?? null],
  ['pass_hat_k_rate', (row) => lastPoint(row)?.rate ?? null],
  ['pass_hat_k_low', (row) => lastPoint(row)?.low ?? null],
  ['pass_hat_k_high', (row) => lastPoint(row)?.high ?? null],
  ['without_one_task_low', (row) => row.leaveOneOut?.task?.least.rate ?? null],
  ['without_one_task_high', (row) => row.leaveOneOut?.task?.most.rate ?? null],
  ['without_one_category_low', (row) => row.leaveOneOut?.category?.least.rate ?? null],
  ['without_one_category_high', (row) => row.leaveOneOut?.category?.most.rate ?? null],
  ['tasks', (row) => row.success.tasks],
  ['scored_episodes', (row) => row.success.attempts],
  ['void_episodes', (row) => row.success.voids],
  ['void_attempts', (row) => row.voidAttempts ?? null],
  ['planned_episodes', (row) => row.plannedEpisodes],
  ['visible_passed', (row) => row.grading?.visiblePassed ?? null],
  ['held_out_tasks', (row) => row.grading?.heldOutTasks ?? null],
  ['held_out_scored', (row) => row.grading?.heldOutScored ?? null],
  ['held_out_passed', (row) => row.grading?.heldOutPassed ?? null],
  ['verifier_sandbox', (row) => verifierOf(row, 'sandbox')],
  ['verifier_network', (row) => verifierOf(row, 'network')],
  ['verifier_digest', (row) => verifierOf(row, 'digest')],
  ['solved_p50_ms', (row) => row.solvedMs.p50],
  ['solved_p95_ms', (row) => row.solvedMs.p95],
  ['cost_per_success_micro_usd', (row) => row.costPerSuccessMicroUsd],
  ['tokens_per_success', (row) => row.tokensPerSuccess],
  ['runs', (row) => row.runIds.join(' ')],
  ['first_started_at', (row) => row.firstStartedAt],
  ['last_started_at', (row) => row.lastStartedAt],
]

/** pass^k at the largest k that the row's repetitions allow. */
function lastPoint({ reliability }: BoardRow) {
  return reliability?.points.at(-1)
}

function verifierOf({ grading }: BoardRow, field: 'sandbox' | 'network' | 'digest'): TableCell {
  return grading ? commonVerifier(grading, field) : null
}

function toCells({ rows }: Board): TableCell[][] {
  const head = COLUMNS.map(([name]) => name)
  return [head, ...rows.map((row) => COLUMNS.map(([, value]) => value(row)))]
}

/** A row's aggregate; its instances are the row's own export. */
function rowToEee(row: BoardRow) {
  const { suiteId, suiteDigest, subject, settings, success, label, runIds } = row
  const source = {
    ...{ suiteId, suiteDigest, subject, settings, rate: success },
    ...{ startedAt: row.firstStartedAt, endedAt: row.lastStartedAt },
    harness: { name: 'proofboard', version: ownVersion() },
    details: {
      ...{ row: row.rowId, label, provenance: row.provenance, runs: runIds.join(' ') },
      ...gradingDetails(row.grading),
    },
  }
  return toEee(source, null)
}
