import { type TableCell, toCsv, toMarkdown } from '#lib/domain/record/text.ts'
import type { ColumnId, TableRow } from './board-view.ts'
import { EVIDENCE_WORDS, PROVENANCE_WORDS } from './evidence.tsx'

type ExportColumn = {
  column: ColumnId
  header: string
  value: (row: TableRow) => TableCell
  /** Left out where no row has it. */
  rare?: true
}

/** Exact values with their units in the header; the board's column choice decides which appear. */
const EXPORTED: ExportColumn[] = [
  {
    column: 'rank',
    header: 'rank',
    value: (row) => (row.rank.value === null ? null : row.rank.text),
  },
  { column: 'rank', header: 'letters', value: (row) => row.letters, rare: true },
  { column: 'subject', header: 'subject', value: (row) => row.subject.name },
  { column: 'subject', header: 'version', value: (row) => row.subject.version },
  { column: 'subject', header: 'model', value: (row) => row.subject.model },
  { column: 'subject', header: 'driven', value: (row) => row.subject.way, rare: true },
  { column: 'success', header: 'success_rate', value: (row) => row.success.value },
  { column: 'success', header: 'success_low', value: (row) => row.success.low },
  { column: 'success', header: 'success_high', value: (row) => row.success.high },
  { column: 'success', header: 'samples', value: (row) => row.samples },
  { column: 'success', header: 'method', value: (row) => row.success.method },
  {
    column: 'success',
    header: 'visible_passed',
    value: (row) => row.grading?.visiblePassed ?? null,
    rare: true,
  },
  {
    column: 'success',
    header: 'held_out',
    value: (row) => (row.grading ? (row.grading.coverage ?? 'all tasks') : null),
    rare: true,
  },
  {
    column: 'success',
    header: 'held_out_passed',
    value: (row) => row.grading?.heldOutPassed ?? null,
    rare: true,
  },
  {
    column: 'success',
    header: 'held_out_scored',
    value: (row) => row.grading?.heldOutScored || null,
    rare: true,
  },
  {
    column: 'evidence',
    header: 'verifier_sandbox',
    value: (row) => row.grading?.sandbox ?? null,
    rare: true,
  },
  {
    column: 'evidence',
    header: 'verifier_network',
    value: (row) => row.grading?.network ?? null,
    rare: true,
  },
  ...(['agreed', 'disagreed', 'pending', 'impossible'] as const).map(
    (name): ExportColumn => ({
      column: 'evidence',
      header: `evaluated_here_${name}`,
      value: (row) => row.evaluatedHere?.[name] ?? null,
      rare: true,
    }),
  ),
  { column: 'evidence', header: 'evidence', value: (row) => EVIDENCE_WORDS[row.label].word },
  {
    column: 'evidence',
    header: 'reasons',
    value: (row) => row.refusals.map(({ code }) => code).join(' '),
  },
  { column: 'cost', header: 'cost_per_success_micro_usd', value: (row) => row.cost.value },
  { column: 'tokens', header: 'tokens_per_success', value: (row) => row.tokens.value },
  { column: 'p50', header: 'solved_p50_ms', value: (row) => row.p50.value },
  { column: 'p95', header: 'solved_p95_ms', value: (row) => row.p95.value },
  {
    column: 'provenance',
    header: 'provenance',
    value: (row) => PROVENANCE_WORDS[row.provenance].word,
  },
]

/** The rows as a spreadsheet reads them. */
export function rowsToCsv(rows: readonly TableRow[], hidden: readonly ColumnId[]): string {
  return toCsv(cellsOf(rows, hidden))
}

/** A Markdown table of the same columns. */
export function rowsToMarkdown(rows: readonly TableRow[], hidden: readonly ColumnId[]): string {
  return toMarkdown(cellsOf(rows, hidden))
}

function cellsOf(rows: readonly TableRow[], hidden: readonly ColumnId[]): TableCell[][] {
  const columns = EXPORTED.filter(
    ({ column, rare, value }) =>
      !hidden.includes(column) && (!rare || rows.some((row) => value(row) !== null)),
  )
  const head = columns.map(({ header }) => header)
  return [head, ...rows.map((row) => columns.map(({ value }) => value(row)))]
}
