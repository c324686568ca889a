import type { CostPoint, RangePoint } from '#components/charts/chart-points.ts'
import { visibleText } from '#components/format/visible-text.ts'
import type { AxisSlug } from '#lib/domain/axes/axes.ts'
import type { AxisReport, AxisRow, AxisValue } from '#lib/domain/axes/axis-report.ts'

/** What a report's picture shows, made on the server. */
export type ReportPicture =
  | { kind: 'range'; says: string; unit: string; most?: number; points: RangePoint[] }
  | { kind: 'scatter'; says: string; unit: string; points: CostPoint[] }

type Drawing = (report: AxisReport) => ReportPicture

const DRAWINGS: Record<AxisSlug, Drawing | null> = {
  'task-completion': rates('success', 'Success in per cent with its interval.'),
  'fault-recovery': rates('recovery', 'Recovery in per cent of fired faults, with its interval.'),
  'logged-in': rates(
    'logged-in-success',
    'Success on logged-in tasks in per cent, with its interval.',
  ),
  'token-efficiency': against(
    'tokens-per-success',
    1e3,
    'k tokens',
    'Tokens per success against success. The dashed line joins the claims that none beats on both.',
  ),
  'token-cost': against(
    'expected-cost',
    1e6,
    'USD',
    'Expected cost per success against success. The dashed line joins the claims that none beats on both.',
  ),
  speed: times,
  'developer-experience': null,
}

/** The picture of a report; null when there is nothing to draw. */
export function reportPicture(report: AxisReport): ReportPicture | null {
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

function times(report: AxisReport): ReportPicture {
  const points = known(report, 'solved-p50').map(({ row, value }) =>
    rangePoint(row, value / 1e3, value / 1e3, (row.values['solved-p95']?.value ?? value) / 1e3),
  )
  points.sort((a, b) => a.value - b.value)
  const says = 'Seconds of solved episodes: the mark is the median, the line reaches to p95.'
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
  const parts = [subject.name, subject.modelRequested ?? subject.version]
  const name = visibleText(parts.filter(Boolean).join(' · '))
  return name.length > 26 ? `${name.slice(0, 25)}…` : name
}
