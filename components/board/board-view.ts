import {
  createLoader,
  createParser,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server'
import { EVIDENCE_LABELS } from './evidence-words.ts'
import type { TableRow } from './table-row.ts'

/** The board's columns in their order; the first two are always shown. */
export const COLUMN_IDS = [
  'rank',
  'subject',
  'success',
  'evidence',
  'cost',
  'tokens',
  'p50',
  'p95',
  'provenance',
] as const
export type ColumnId = (typeof COLUMN_IDS)[number]

type OptionalColumn = Exclude<ColumnId, 'rank' | 'subject'>

export const OPTIONAL_COLUMNS = COLUMN_IDS.filter(
  (id): id is OptionalColumn => id !== 'rank' && id !== 'subject',
)

export const CHARTS = ['success', 'time', 'cost', 'tasks'] as const
export type ChartName = (typeof CHARTS)[number]

export type Sort = { column: ColumnId; descending: boolean }

/** `success.desc` in the address bar. */
const parseAsSort = createParser<Sort>({
  parse(text) {
    const [column, direction] = text.split('.')
    const known = COLUMN_IDS.find((id) => id === column)
    return known ? { column: known, descending: direction === 'desc' } : null
  },
  serialize: ({ column, descending }) => `${column}.${descending ? 'desc' : 'asc'}`,
  eq: (a, b) => a.column === b.column && a.descending === b.descending,
})

/** The board's view state, all of it in the URL: what it cannot parse it takes as absent. */
export const boardViewParsers = {
  suite: parseAsString,
  /** Digest of an earlier version of the suite; null = the current one. */
  version: parseAsString,
  q: parseAsString.withDefault(''),
  label: parseAsArrayOf(parseAsStringLiteral(EVIDENCE_LABELS)).withDefault([]),
  kind: parseAsStringLiteral(['agent', 'library', 'control'] as const),
  sort: parseAsSort.withDefault({ column: 'rank', descending: false }),
  hide: parseAsArrayOf(parseAsStringLiteral(OPTIONAL_COLUMNS)).withDefault([]),
  open: parseAsArrayOf(parseAsString).withDefault([]),
  chart: parseAsStringLiteral(CHARTS).withDefault('success'),
}

export const loadBoardView = createLoader(boardViewParsers)
export type BoardView = inferParserType<typeof boardViewParsers>

/** The rows that search and filters leave, in the given order. */
export function filterRows(
  rows: readonly TableRow[],
  view: Pick<BoardView, 'q' | 'label' | 'kind'>,
): TableRow[] {
  const words = view.q.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(
    (row) =>
      (view.label.length === 0 || view.label.includes(row.label)) &&
      (view.kind === null || view.kind === row.subject.kind) &&
      words.every((word) => row.haystack.includes(word)),
  )
}
