import type { ReactNode } from 'react'
import {
  type BoardRow,
  EVIDENCE_LABELS,
  EVIDENCE_WORDS,
  type FieldValue,
  formatCoverage,
  formatRank,
  formatSamples,
  LEADERBOARD_FIELDS,
  PROVENANCE_WORDS,
  rankPoolOf,
} from '#lib/domain/board/index.ts'
import { formatWay } from '#lib/domain/tasks/index.ts'
import { fromRow } from './from-row.ts'
import {
  type CellProps,
  EvidenceCell,
  ModelCell,
  ProvenanceCell,
  RankCell,
  SubjectCell,
  SuccessCell,
  subjectTitle,
  VersionCell,
} from './row-cells.tsx'
import {
  costCell,
  dateFigure,
  overallCell,
  rankFigure,
  samplesFigure,
  successFigure,
  timeFigure,
  tokensFigure,
} from './row-figures.ts'
import type { CellMetric, ReadCell, TableRow } from './table-row.ts'

/** A field in exports of the table; `rare` = omitted if no row has it. */
type ExportedField = { name: string; value: FieldValue; rare?: true }

/** A column of the board, all of it in one place. Its fields in files read the whole row, which is fetched for them. */
type BoardColumn = {
  label: string
  unit?: string
  /** The tooltip of the label. */
  title: string
  numeric?: true
  /** Always visible, because it identifies the row. */
  fixed?: true
  /** Hidden by default. */
  extra?: true
  /** True if the first click sorts in descending order. */
  descends?: true
  /** The value that sorts; null = unknown, sorted last in either direction. */
  sort: (row: TableRow) => string | number | null
  /** Its fields in exports of the table. */
  csv: readonly ExportedField[]
  /** The value by which rows can be filtered. */
  facet?: (row: TableRow) => string | null
  /** Width of the column on a wide screen. */
  width: string
  /** Classes of its cells, such as the share of a card's width; absent = a quarter. */
  span?: string
  /** Omitted if the table is slightly too narrow for all columns. */
  wide?: true
  /** Its label on a card; null = none needed, absent = the column's label. */
  card?: string | null
  /** The value that the server reads from the whole row for this column. */
  read?: (row: BoardRow) => ReadCell | null
} & (
  | { figure: (row: TableRow) => CellMetric }
  | { Cell: (props: CellProps) => ReactNode; cellTitle?: (row: TableRow) => string | undefined }
)

/** The board's columns, in their order. */
const COLUMNS = {
  rank: {
    label: 'Rank',
    title:
      'Range of ranks among the entries of this table, simultaneous 95\u00a0% confidence. Entries that share a letter do not differ significantly (Holm, family-wise error 5\u00a0%)',
    fixed: true,
    sort: (row) => row.rank?.place ?? null,
    csv: [
      { name: 'rank', value: (row) => formatRank(row.rank) },
      rare(field('letters')),
      { name: 'pool', value: (row) => rankPoolOf(row) },
    ],
    width: 'w-[5.25rem]',
    card: null,
    Cell: RankCell,
    cellTitle: (row) => rankFigure(row).title,
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
    width: 'w-auto',
    span: 'col-span-3 min-w-0 pr-9 normal-nums leading-tight',
    card: null,
    Cell: SubjectCell,
    cellTitle: subjectTitle,
    facet: ({ subject }) => subject.name,
  },
  model: {
    label: 'Model',
    title: 'The requested model; for a library, how it is driven and finds elements',
    sort: (row) => row.subject.modelRequested?.toLowerCase() ?? row.subject.way,
    csv: [],
    width: 'w-[8.75rem]',
    span: 'col-start-2 col-span-2',
    card: null,
    Cell: ModelCell,
    facet: ({ subject }) => subject.model ?? subject.way,
  },
  version: {
    label: 'Version',
    title: 'Exact version of the agent or library',
    sort: ({ subject }) => subject.version,
    csv: [],
    width: 'w-[5.25rem]',
    wide: true,
    card: null,
    Cell: VersionCell,
    facet: ({ subject }) => subject.version,
  },
  success: {
    label: 'Success',
    unit: '%',
    title: 'Mean success over tasks with its 95\u00a0% confidence interval',
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
    width: 'w-[15rem]',
    span: 'col-span-4',
    card: null,
    Cell: SuccessCell,
    cellTitle: (row) => successFigure(row).title,
  },
  overall: {
    label: 'overallSuccess',
    unit: '%',
    title: 'Scored episodes that were solved by a subject that exited with 0, as ts-bench counts',
    numeric: true,
    extra: true,
    descends: true,
    csv: [rare(field('overall_success_rate'))],
    width: 'w-[7.5rem]',
    ...fromRow('overall', overallCell),
  },
  cost: {
    label: 'Cost / success',
    title: 'Total cost divided by the number of successes, USD',
    numeric: true,
    sort: (row) => row.costPerSuccessMicroUsd,
    csv: [field('cost_per_success_micro_usd')],
    width: 'w-[6.5rem]',
    card: '$ / success',
    figure: costCell,
  },
  tokens: {
    label: 'Tokens',
    extra: true,
    title: 'Total input and output tokens divided by the number of successes',
    numeric: true,
    sort: (row) => row.tokensPerSuccess,
    csv: [field('tokens_per_success')],
    width: 'w-[4.75rem]',
    figure: tokensFigure,
  },
  p50: {
    label: 'Time p50',
    title: 'Median time of the solved episodes',
    numeric: true,
    sort: (row) => row.solvedMs.p50,
    csv: [field('solved_p50_ms')],
    width: 'w-[5.5rem]',
    wide: true,
    figure: (row) => timeFigure(row.solvedMs.p50, 'Median'),
  },
  p95: {
    label: 'Time p95',
    extra: true,
    title: '95th percentile of the time of the solved episodes',
    numeric: true,
    sort: (row) => row.solvedMs.p95,
    csv: [field('solved_p95_ms')],
    width: 'w-[5.5rem]',
    figure: (row) => timeFigure(row.solvedMs.p95, '95th percentile'),
  },
  provenance: {
    label: 'Source',
    extra: true,
    title: 'Where the results come from',
    sort: (row) => ['local', 'oidc', 'token', 'manual'].indexOf(row.provenance),
    csv: [{ name: 'provenance', value: (row) => PROVENANCE_WORDS[row.provenance].word }],
    width: 'w-[7rem]',
    span: 'col-span-2',
    Cell: ProvenanceCell,
    facet: ({ provenance }) => PROVENANCE_WORDS[provenance].word,
  },
  samples: {
    label: 'Tasks × runs',
    title: 'Tasks, and the scored episodes of each',
    numeric: true,
    descends: true,
    sort: (row) => row.success.attempts,
    csv: [],
    width: 'w-[6rem]',
    figure: samplesFigure,
  },
  date: {
    label: 'Date',
    title: 'When the latest episode started',
    descends: true,
    sort: (row) => row.lastStartedAt,
    csv: [field('last_started_at')],
    width: 'w-[6.25rem]',
    span: '-mr-3',
    wide: true,
    figure: dateFigure,
  },
  evidence: {
    label: 'Evidence',
    title: 'Whether the entry is ranked, and why not',
    sort: (row) => EVIDENCE_LABELS.indexOf(row.label),
    csv: [
      rare(field('verifier_sandbox')),
      rare(field('verifier_network')),
      ...(['agreed', 'disagreed', 'pending', 'impossible'] as const).map((name) =>
        rare({
          name: `evaluated_here_${name}`,
          value: (row) => row.evaluatedHere?.[name] ?? null,
        }),
      ),
      { name: 'evidence', value: (row) => EVIDENCE_WORDS[row.label].word },
      { name: 'reasons', value: ({ refusals }) => refusals.map(({ code }) => code).join(' ') },
    ],
    width: 'w-[8rem]',
    span: 'col-span-4',
    card: null,
    Cell: EvidenceCell,
  },
} as const satisfies Record<string, BoardColumn>

export type ColumnId = keyof typeof COLUMNS
export const COLUMN_IDS = Object.keys(COLUMNS) as ColumnId[]
export const BOARD_COLUMNS: Readonly<Record<ColumnId, BoardColumn>> = COLUMNS

/** The columns of a file that is made of the table as shown, each with the column of the table that it belongs to. */
export const EXPORTED_FIELDS = COLUMN_IDS.flatMap((column) =>
  BOARD_COLUMNS[column].csv.map((exported) => ({ ...exported, column })),
)

/** Returns the word by which a column filters a row; null = none, or no such column. */
export function facetWord(id: string, row: TableRow): string | null {
  const known = COLUMN_IDS.find((one) => one === id)
  return known === undefined ? null : (BOARD_COLUMNS[known].facet?.(row) ?? null)
}

/** Returns the cells of the columns that are read from the whole row. */
export function readCells(row: BoardRow): NonNullable<TableRow['read']> {
  const cells = COLUMN_IDS.flatMap((id) => {
    const cell = BOARD_COLUMNS[id].read?.(row) ?? null
    return cell === null ? [] : [[id, cell] as const]
  })
  return Object.fromEntries(cells)
}

function field(name: keyof typeof LEADERBOARD_FIELDS): ExportedField {
  return { name, value: LEADERBOARD_FIELDS[name] }
}

function rare(exported: ExportedField): ExportedField {
  return { ...exported, rare: true }
}
