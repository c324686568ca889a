import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { classNames } from '../ui/class-names.ts'
import type { BoardView, ColumnId, Sort, TableRow } from './board-view.ts'
import { EVIDENCE_LABELS } from './evidence.tsx'

const boardFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** A column's label, unit, tooltip and width. */
type ColumnWords = {
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

const boardColumns: ColumnDef<typeof boardFeatures, TableRow>[] = (
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

/** Rows sorted as the view asks, and among equals by success; without the columns it hides. */
export function useBoardTable(rows: TableRow[], { sort, hide }: Pick<BoardView, 'sort' | 'hide'>) {
  const sorting = useMemo<SortingState>(
    () => [
      { id: sort.column, desc: sort.descending },
      ...(sort.column === 'success' ? [] : [{ id: 'success', desc: true }]),
    ],
    [sort.column, sort.descending],
  )
  const columnVisibility = useMemo(() => Object.fromEntries(hide.map((id) => [id, false])), [hide])
  return useTable({
    features: boardFeatures,
    columns: boardColumns,
    data: rows,
    getRowId: (row) => row.id,
    state: { sorting, columnVisibility },
  })
}

type ColumnHeaderProps = { id: ColumnId; sort: Sort; onSort: (sort: Sort) => void }

/** A column's name and unit; pressing it sorts, pressing it again turns the order round. */
export function ColumnHeader({ id, sort, onSort }: ColumnHeaderProps) {
  const { label, unit, title, numeric, width } = COLUMN_WORDS[id]
  const active = sort.column === id
  const descendsFirst = id === 'success'
  const next = { column: id, descending: active ? !sort.descending : descendsFirst }
  return (
    <th
      aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className={classNames(
        'border-line-strong border-b bg-bg p-0 font-normal',
        numeric ? 'text-right' : 'text-left',
        width,
      )}
      scope="col"
    >
      <button
        className={classNames(
          'inline-flex h-9 items-center gap-1 whitespace-nowrap px-2.5 text-xs hover:text-ink',
          active ? 'font-medium text-ink' : 'text-muted',
        )}
        onClick={() => onSort(next)}
        title={title}
        type="button"
      >
        {label}
        {unit ? `, ${unit}` : null}
        <svg
          aria-hidden="true"
          className={classNames(
            'size-2.5',
            !active && 'invisible',
            active && sort.descending && 'rotate-180',
          )}
          viewBox="0 0 10 10"
        >
          <path d="M5 2 9 8H1Z" fill="currentColor" />
        </svg>
      </button>
    </th>
  )
}
