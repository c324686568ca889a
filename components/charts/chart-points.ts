import { modelLabel } from '#lib/domain/record/index.ts'
import type { AxisReport, AxisRow, AxisSlug, AxisValue } from '#lib/domain/reports/index.ts'
import type { TableRow } from '../board/board-view.ts'
import { visibleText } from '../ui/format.ts'

/** One line of a range chart: a mark and the ends of its whisker. */
export type RangePoint = {
  id: string
  name: string
  claim: boolean
  value: number
  /** Lengths of the whisker to the left and to the right of the mark. */
  whisker: [number, number]
}

export type CostPoint = { id: string; name: string; claim: boolean; cost: number; success: number }

/** Success in per cent with its interval, best first; rows without a number have no line. */
export function successPoints(rows: readonly TableRow[]): RangePoint[] {
  const points = rows.flatMap((row) => {
    const { low, high } = row.success
    const value = row.values.success
    return value === null
      ? []
      : [point(row, value * 100, (low ?? value) * 100, (high ?? value) * 100)]
  })
  return points.sort((a, b) => b.value - a.value)
}

/** Time of solved episodes in seconds, from the median to the 95th percentile, fastest first. */
export function timePoints(rows: readonly TableRow[]): RangePoint[] {
  const points = rows.flatMap((row) => {
    const { p50, p95 } = row.values
    return p50 === null ? [] : [point(row, p50 / 1000, p50 / 1000, (p95 ?? p50) / 1000)]
  })
  return points.sort((a, b) => a.value - b.value)
}

/** Cost per success against success, where both are known. */
export function costPoints(rows: readonly TableRow[]): CostPoint[] {
  return rows.flatMap((row) => {
    const { cost, success } = row.values
    if (cost === null || success === null) return []
    return [
      {
        id: row.id,
        name: shortName(row),
        claim: row.pool !== null,
        cost: cost / 1e6,
        success: success * 100,
      },
    ]
  })
}

/** The points that no other point beats in both cost and success, cheapest first: the Pareto frontier. */
export function frontier(points: readonly CostPoint[]): CostPoint[] {
  const byCost = [...points].sort((a, b) => a.cost - b.cost || b.success - a.success)
  let best = Number.NEGATIVE_INFINITY
  return byCost.filter(({ success }) => {
    const isBetter = success > best
    best = Math.max(best, success)
    return isBetter
  })
}

function point(row: TableRow, value: number, low: number, high: number): RangePoint {
  return {
    id: row.id,
    name: shortName(row),
    claim: row.pool !== null,
    value,
    whisker: [Math.max(value - low, 0), Math.max(high - value, 0)],
  }
}

function shortName({ subject }: TableRow): string {
  const name = visibleText(
    [subject.name, subject.under, subject.model ?? subject.version].filter(Boolean).join(' · '),
  )
  return name.length > 26 ? `${name.slice(0, 25)}…` : name
}

/** Chart data of a report, prepared on the server. */
export type ReportChartData =
  | { kind: 'range'; says: string; unit: string; most?: number; points: RangePoint[] }
  | { kind: 'scatter'; says: string; unit: string; points: CostPoint[] }

type Drawing = (report: AxisReport) => ReportChartData

const DRAWINGS: Record<AxisSlug, Drawing | null> = {
  'task-completion': rates('success', 'Success rate in percent with 95 % confidence intervals.'),
  'fault-recovery': rates(
    'recovery',
    'Recovery rate in percent of injected faults with 95 % confidence intervals.',
  ),
  'logged-in': rates(
    'logged-in-success',
    'Success rate on logged-in tasks in percent with 95 % confidence intervals.',
  ),
  'token-efficiency': against(
    'tokens-per-success',
    1e3,
    'k tokens',
    'Tokens per success against success rate in percent. Line: Pareto frontier of the ranked results.',
  ),
  'token-cost': against(
    'expected-cost',
    1e6,
    'USD',
    'Expected cost per success against success rate in percent. Line: Pareto frontier of the ranked results.',
  ),
  speed: times,
  'developer-experience': null,
}

/** The chart of a report; null without data. */
export function reportChartData(report: AxisReport): ReportChartData | null {
  const picture = DRAWINGS[report.axis.slug]?.(report)
  return picture && picture.points.length > 0 ? picture : null
}

function rates(id: string, says: string): Drawing {
  return (report) => {
    const points = known(report, id).map(({ row, figure, value }) =>
      rangePoint(row, 100 * value, 100 * (figure.low ?? value), 100 * (figure.high ?? value)),
    )
    points.sort((a, b) => b.value - a.value)
    return { kind: 'range', says, unit: '%', most: 100, points }
  }
}

function times(report: AxisReport): ReportChartData {
  const points = known(report, 'solved-p50').map(({ row, value }) =>
    rangePoint(row, value / 1e3, value / 1e3, (row.values['solved-p95']?.value ?? value) / 1e3),
  )
  points.sort((a, b) => a.value - b.value)
  const says =
    'Time of solved episodes in seconds: marker at the median, line to the 95th percentile.'
  return { kind: 'range', says, unit: 's', points }
}

function against(id: string, divisor: number, unit: string, says: string): Drawing {
  return (report) => {
    const points = known(report, id).flatMap(({ row, value }) => {
      const success = row.values.success?.value ?? null
      if (success === null) return []
      const { rowId, label } = row
      const claim = label === 'primary'
      return [
        { id: rowId, name: nameOf(row), claim, cost: value / divisor, success: success * 100 },
      ]
    })
    return { kind: 'scatter', says, unit, points }
  }
}

function known({ claims, others }: AxisReport, id: string) {
  return [...claims, ...others].flatMap((row) => {
    const figure: AxisValue | undefined = row.values[id]
    return figure && figure.value !== null ? [{ row, figure, value: figure.value }] : []
  })
}

function rangePoint(row: AxisRow, value: number, low: number, high: number): RangePoint {
  const claim = row.label === 'primary' || row.label === 'stress'
  const whisker: [number, number] = [Math.max(value - low, 0), Math.max(high - value, 0)]
  return { id: row.rowId, name: nameOf(row), claim, value, whisker }
}

function nameOf({ subject }: AxisRow): string {
  const parts = [subject.name, modelLabel(subject) ?? subject.version]
  const name = visibleText(parts.filter(Boolean).join(' · '))
  return name.length > 26 ? `${name.slice(0, 25)}…` : name
}
