import type { TableCell } from '../record/index.ts'
import { formatWay } from '../tasks/index.ts'
import type { BoardRow } from './board-row.ts'
import {
  commonVerifier,
  EVIDENCE_LABELS,
  EVIDENCE_WORDS,
  formatCoverage,
  formatRank,
  formatSamples,
  formatSurroundings,
  PROVENANCE_WORDS,
  rankPoolOf,
} from './row-words.ts'

// The single list of a board's columns: the table, its column menu and its exports, the file of
// `/api/v1/leaderboard/export` and the API documentation read it. How a cell is drawn stands in
// `components/board/row-cells.tsx`, by the column's id. Types alone come from the schemas, since the browser loads this.

type FieldValue = (row: BoardRow) => TableCell

/** The columns of the leaderboard as CSV, in their order: exact values, units in the name. */
const FIELDS = {
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
  refusals: (row) => refusalCodes(row) || null,
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

/** A column of a file that is made of the table as shown; `rare` = left out where no row has it. */
type ExportedField = { name: string; value: FieldValue; rare?: true }

type BoardColumn = {
  label: string
  unit?: string
  /** The tooltip of the label. */
  title: string
  numeric?: true
  /** Always shown: a row without it cannot be read. */
  fixed?: true
  /** Hidden by default. */
  extra?: true
  /** The order of the first click on its head. */
  descends?: true
  /** The value that is sorted and charted; null = unknown, sorted last in either direction. */
  sort: (row: BoardRow) => string | number | null
  /** Its fields in exports of the table. */
  csv: readonly ExportedField[]
}

const PROVENANCE_ORDER: readonly BoardRow['provenance'][] = ['local', 'oidc', 'token', 'manual']
const EVALUATIONS = ['agreed', 'disagreed', 'pending', 'impossible'] as const

/** The board's columns, in their order. */
const COLUMNS = {
  rank: {
    label: 'Rank',
    title:
      'Range of ranks among the entries of this table, simultaneous 95 % confidence. Entries that share a letter do not differ significantly (Holm, family-wise error 5 %)',
    fixed: true,
    sort: (row) => row.rank?.place ?? null,
    csv: [
      { name: 'rank', value: (row) => formatRank(row.rank) },
      rare(field('letters')),
      { name: 'pool', value: (row) => rankPoolOf(row) },
    ],
  },
  subject: {
    label: 'Entry',
    title: 'Agent, library or control',
    fixed: true,
    sort: ({ subject }) =>
      [subject.name, subject.modelRequested, subject.version, subject.arm].join(' ').toLowerCase(),
    csv: [
      field('subject'),
      field('version'),
      field('model'),
      rare(field('arm')),
      rare({ name: 'driven', value: formatWay }),
      rare(field('conditions')),
    ],
  },
  model: {
    label: 'Model',
    title: 'The requested model; for a library, how it is driven and finds elements',
    sort: (row) => row.subject.modelRequested?.toLowerCase() ?? formatWay(row),
    csv: [],
  },
  version: {
    label: 'Version',
    title: 'Exact version of the agent or library',
    sort: ({ subject }) => subject.version,
    csv: [],
  },
  success: {
    label: 'Success',
    unit: '%',
    title: 'Mean success over tasks with its 95 % confidence interval',
    descends: true,
    sort: (row) => row.success.rate,
    csv: [
      field('success_rate'),
      field('success_low'),
      field('success_high'),
      { name: 'samples', value: formatSamples },
      { name: 'method', value: (row) => row.success.method },
      rare(field('visible_passed')),
      rare({
        name: 'held_out',
        value: ({ grading }) => (grading ? (formatCoverage(grading) ?? 'all tasks') : null),
      }),
      rare(field('held_out_passed')),
      rare({ name: 'held_out_scored', value: (row) => row.grading?.heldOutScored || null }),
    ],
  },
  cost: {
    label: 'Cost / success',
    title: 'Total cost divided by the number of successes, USD',
    numeric: true,
    sort: (row) => row.costPerSuccessMicroUsd,
    csv: [field('cost_per_success_micro_usd')],
  },
  tokens: {
    label: 'Tokens',
    extra: true,
    title: 'Total input and output tokens divided by the number of successes',
    numeric: true,
    sort: (row) => row.tokensPerSuccess,
    csv: [field('tokens_per_success')],
  },
  p50: {
    label: 'Time p50',
    title: 'Median time of the solved episodes',
    numeric: true,
    sort: (row) => row.solvedMs.p50,
    csv: [field('solved_p50_ms')],
  },
  p95: {
    label: 'Time p95',
    extra: true,
    title: '95th percentile of the time of the solved episodes',
    numeric: true,
    sort: (row) => row.solvedMs.p95,
    csv: [field('solved_p95_ms')],
  },
  provenance: {
    label: 'Source',
    extra: true,
    title: 'Where the results come from',
    sort: (row) => PROVENANCE_ORDER.indexOf(row.provenance),
    csv: [{ name: 'provenance', value: (row) => PROVENANCE_WORDS[row.provenance].word }],
  },
  samples: {
    label: 'Tasks × runs',
    title: 'Tasks, and the scored episodes of each',
    numeric: true,
    descends: true,
    sort: (row) => row.success.attempts,
    csv: [],
  },
  date: {
    label: 'Date',
    title: 'When the latest episode started',
    descends: true,
    sort: (row) => row.lastStartedAt,
    csv: [field('last_started_at')],
  },
  evidence: {
    label: 'Evidence',
    title: 'Whether the entry is ranked, and why not',
    sort: (row) => EVIDENCE_LABELS.indexOf(row.label),
    csv: [
      rare(field('verifier_sandbox')),
      rare(field('verifier_network')),
      ...EVALUATIONS.map((name) =>
        rare({
          name: `evaluated_here_${name}`,
          value: (row) => row.evaluatedHere?.[name] ?? null,
        }),
      ),
      { name: 'evidence', value: (row) => EVIDENCE_WORDS[row.label].word },
      { name: 'reasons', value: refusalCodes },
    ],
  },
} as const satisfies Record<string, BoardColumn>

export type ColumnId = keyof typeof COLUMNS
export const COLUMN_IDS = Object.keys(COLUMNS) as ColumnId[]
export const BOARD_COLUMNS: Readonly<Record<ColumnId, BoardColumn>> = COLUMNS

/** The columns that can be hidden. */
export type OptionalColumnId = {
  [Id in ColumnId]: (typeof COLUMNS)[Id] extends { fixed: true } ? never : Id
}[ColumnId]
export const OPTIONAL_COLUMNS = COLUMN_IDS.filter(
  (id): id is OptionalColumnId => BOARD_COLUMNS[id].fixed === undefined,
)

/** The columns that are hidden by default. */
export const DEFAULT_HIDDEN = OPTIONAL_COLUMNS.filter((id) => BOARD_COLUMNS[id].extra === true)

/** The sorted and charted value of a row, by column. */
export type ColumnValues = {
  readonly [Id in ColumnId]: ReturnType<(typeof COLUMNS)[Id]['sort']>
}

export function columnValues(row: BoardRow): ColumnValues {
  return Object.fromEntries(
    COLUMN_IDS.map((id) => [id, BOARD_COLUMNS[id].sort(row)]),
  ) as ColumnValues
}

/** The columns of a file that is made of the table as shown, each with the column of the table that it belongs to. */
export const EXPORTED_FIELDS = COLUMN_IDS.flatMap((column) =>
  BOARD_COLUMNS[column].csv.map((exported) => ({ ...exported, column })),
)

/** A row's cells of such a file, in the order of `EXPORTED_FIELDS`. */
export function exportedCells(row: BoardRow): TableCell[] {
  return EXPORTED_FIELDS.map(({ value }) => value(row))
}

export const LEADERBOARD_CSV_COLUMNS: readonly string[] = Object.keys(FIELDS)

/** All rows with all their fields, under a head. */
export function leaderboardCells(rows: readonly BoardRow[]): TableCell[][] {
  const values: readonly FieldValue[] = Object.values(FIELDS)
  return [[...LEADERBOARD_CSV_COLUMNS], ...rows.map((row) => values.map((value) => value(row)))]
}

function field(name: keyof typeof FIELDS): ExportedField {
  return { name, value: FIELDS[name] }
}

function rare(exported: ExportedField): ExportedField {
  return { ...exported, rare: true }
}

/** pass^k at the largest k that the row's repetitions allow. */
function lastPoint({ reliability }: BoardRow) {
  return reliability?.points.at(-1)
}

function refusalCodes({ refusals }: BoardRow): string {
  return refusals.map(({ code }) => code).join(' ')
}
