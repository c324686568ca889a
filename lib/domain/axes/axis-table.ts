import type { TableCell } from '../export/table-text.ts'
import type { AxisColumn, AxisReport, AxisRow, AxisUnit, LibraryTable } from './axis-report.ts'

const UNIT_NAMES: Record<AxisUnit, string> = {
  share: 'share',
  ms: 'ms',
  'micro-usd': 'micro_usd',
  tokens: 'tokens',
  steps: 'steps',
  'per-hour': 'per_hour',
  place: 'place',
  bytes: 'bytes',
  lines: 'lines',
  count: 'count',
}

/**
 * A report as a table with a head: exact values with bounds and denominators, claims first. An axis that no row has
 * figures of is the table of its libraries.
 */
export function axisTable(report: AxisReport): TableCell[][] {
  const { columns, claims, others, libraries } = report
  if (columns.length === 0 && libraries) return libraryLines(libraries)
  const rows = [...claims, ...others].map((row) => [
    row.label,
    row.subject.name,
    row.subject.version,
    row.subject.modelRequested,
    row.rowId,
    ...valueCells(columns, row.values),
  ])
  return [['label', 'subject', 'version', 'model', 'row', ...headCells(columns)], ...rows]
}

function libraryLines({ columns, rows }: LibraryTable): TableCell[][] {
  const lines = rows.map(({ name, version, measuredAt, values }) => [
    name,
    version,
    measuredAt,
    ...valueCells(columns, values),
  ])
  return [['library', 'version', 'measured_at', ...headCells(columns)], ...lines]
}

function headCells(columns: readonly AxisColumn[]): string[] {
  return columns.flatMap(({ id, unit, role }) => {
    const bare = id.replaceAll('-', '_')
    const name = bare.endsWith(UNIT_NAMES[unit]) ? bare : `${bare}_${UNIT_NAMES[unit]}`
    return [`${name} (${role})`, `${name}_low`, `${name}_high`, `${name}_tasks`, `${name}_episodes`]
  })
}

function valueCells(columns: readonly AxisColumn[], values: AxisRow['values']): TableCell[] {
  return columns.flatMap(({ id }) => {
    const { value, low, high, tasks, episodes } = values[id] ?? NOTHING
    return [value, low, high, tasks, episodes]
  })
}

const NOTHING = { value: null, low: null, high: null, tasks: null, episodes: null }
