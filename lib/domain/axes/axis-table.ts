import type { TableCell } from '../export/table-text.ts'
import type { AxisReport, AxisRow, AxisUnit } from './axis-report.ts'

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

/** A report as a table with a head: exact values with bounds and denominators, claims first. */
export function axisTable({ columns, claims, others }: AxisReport): TableCell[][] {
  const head = columns.flatMap(({ id, unit, role }) => {
    const bare = id.replaceAll('-', '_')
    const name = bare.endsWith(UNIT_NAMES[unit]) ? bare : `${bare}_${UNIT_NAMES[unit]}`
    return [`${name} (${role})`, `${name}_low`, `${name}_high`, `${name}_tasks`, `${name}_episodes`]
  })
  const line = (row: AxisRow) =>
    columns.flatMap(({ id }) => {
      const { value, low, high, tasks, episodes } = row.values[id] ?? NOTHING
      return [value, low, high, tasks, episodes]
    })
  const rows = [...claims, ...others].map((row) => [
    row.label,
    row.subject.name,
    row.subject.version,
    row.subject.modelRequested,
    row.rowId,
    ...line(row),
  ])
  return [['label', 'subject', 'version', 'model', 'row', ...head], ...rows]
}

const NOTHING = { value: null, low: null, high: null, tasks: null, episodes: null }
