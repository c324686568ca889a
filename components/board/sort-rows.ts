import type { Sort, TableRow } from './board-view.ts'

type Value = TableRow['values'][keyof TableRow['values']]

/** Rows in the requested order, and among equals by success; unknown values are last either way. */
export function sortRows(rows: readonly TableRow[], sort: Sort): TableRow[] {
  return [...rows].sort((a, b) => compareBy(a, b, sort) || compareBy(a, b, BEST_FIRST))
}

const BEST_FIRST: Sort = { column: 'success', descending: true }

function compareBy(a: TableRow, b: TableRow, { column, descending }: Sort): number {
  const [x, y] = [a.values[column] ?? null, b.values[column] ?? null]
  if (x === null || y === null) return Number(x === null) - Number(y === null)
  return descending ? compare(y, x) : compare(x, y)
}

function compare(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}
