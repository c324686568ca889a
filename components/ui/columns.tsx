import type { DataColumn } from './data-column.ts'
import { formatCount, formatDuration, formatInstant, UNKNOWN, visibleText } from './format.ts'

type More<Row> = Partial<Omit<DataColumn<Row>, 'head' | 'id' | 'cell'>>

/** A column of texts from outside, which sorts and filters by them; null = unknown. */
export function textColumn<Row>(
  head: string,
  textOf: (row: Row) => string | null,
  more?: More<Row>,
): DataColumn<Row> {
  return {
    head,
    sort: textOf,
    facet: textOf,
    cell: (row) => visibleText(textOf(row) ?? UNKNOWN),
    cellClass: 'untrusted',
    ...more,
  }
}

/** A column of counts, the largest first; null = unknown. */
export function countColumn<Row>(
  head: string,
  countOf: (row: Row) => number | null,
  more?: More<Row>,
): DataColumn<Row> {
  return {
    head,
    sort: countOf,
    descends: true,
    cell: (row) => formatCount(countOf(row)),
    numeric: true,
    ...more,
  }
}

/** A column of durations, in files in milliseconds; null = unknown. */
export function durationColumn<Row>(
  head: string,
  msOf: (row: Row) => number | null,
  more?: More<Row>,
): DataColumn<Row> {
  return {
    head,
    name: `${head}, ms`,
    sort: msOf,
    cell: (row) => formatDuration(msOf(row)),
    numeric: true,
    ...more,
  }
}

/** A column of ISO times, the latest first. */
export function instantColumn<Row>(head: string, instantOf: (row: Row) => string): DataColumn<Row> {
  const cell = (row: Row) => (
    <time className="whitespace-nowrap" dateTime={instantOf(row)} title={instantOf(row)}>
      {formatInstant(instantOf(row))}
    </time>
  )
  return { head, sort: instantOf, descends: true, cell }
}
