import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ColumnId } from './board-view.ts'
import { EVIDENCE_LABELS } from './evidence-words.ts'
import type { TableRow } from './table-row.ts'

export const boardFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** A column's label, unit, tooltip and width. */
export type ColumnWords = {
  label: string
  unit?: string
  title: string
  numeric: boolean
  width: string
}

export const COLUMN_WORDS: Record<ColumnId, ColumnWords> = {
  rank: {
    label: 'Rank',
    title:
      'Range of ranks among the entries of this table, simultaneous 95 % confidence. Entries that share a letter do not differ significantly (Holm, family-wise error 5 %)',
    numeric: false,
    width: 'w-[5.25rem]',
  },
  subject: {
    label: 'Entry',
    title: 'Agent or library, its exact version and the requested model',
    numeric: false,
    width: 'w-auto',
  },
  success: {
    label: 'Success',
    unit: '%',
    title: 'Mean success over tasks with its 95 % confidence interval, and tasks × repetitions',
    numeric: false,
    width: 'w-[24rem]',
  },
  evidence: {
    label: 'Evidence',
    title: 'Whether the entry is ranked, and why not',
    numeric: false,
    width: 'w-[10.75rem]',
  },
  cost: {
    label: 'Cost',
    unit: 'USD',
    title: 'Total cost divided by the number of successes',
    numeric: true,
    width: 'w-[4.75rem]',
  },
  tokens: {
    label: 'Tokens',
    title: 'Total input and output tokens divided by the number of successes',
    numeric: true,
    width: 'w-[4.75rem]',
  },
  p50: {
    label: 'p50',
    unit: 's',
    title: 'Median time of the solved episodes',
    numeric: true,
    width: 'w-[4rem]',
  },
  p95: {
    label: 'p95',
    unit: 's',
    title: '95th percentile of the time of the solved episodes',
    numeric: true,
    width: 'w-[4rem]',
  },
  provenance: {
    label: 'Source',
    title: 'Where the results come from',
    numeric: false,
    width: 'w-[7rem]',
  },
}

const PROVENANCE_ORDER: TableRow['provenance'][] = ['local', 'oidc', 'token', 'manual']

/** The value that sorting compares; unknown values come last in either direction. */
const SORT_VALUES: Record<ColumnId, (row: TableRow) => string | number | undefined> = {
  rank: (row) => row.rank.value ?? undefined,
  subject: (row) =>
    [row.subject.name, row.subject.version, row.subject.model].join(' ').toLowerCase(),
  success: (row) => row.success.value ?? undefined,
  evidence: (row) => EVIDENCE_LABELS.indexOf(row.label),
  cost: (row) => row.cost.value ?? undefined,
  tokens: (row) => row.tokens.value ?? undefined,
  p50: (row) => row.p50.value ?? undefined,
  p95: (row) => row.p95.value ?? undefined,
  provenance: (row) => PROVENANCE_ORDER.indexOf(row.provenance),
}

export const boardColumns: ColumnDef<typeof boardFeatures, TableRow>[] = (
  Object.keys(COLUMN_WORDS) as ColumnId[]
).map((id) => ({
  id,
  header: COLUMN_WORDS[id].label,
  accessorFn: SORT_VALUES[id],
  sortUndefined: 'last' as const,
  sortDescFirst: id === 'success',
  sortFn: (a, b, column) => compare(a.getValue(column), b.getValue(column)),
}))

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}
