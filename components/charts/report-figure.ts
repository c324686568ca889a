import type { ChartScale } from '#lib/domain/api/index.ts'
import { type EntryStyle, formatConditions, formatRowCounts } from '#lib/domain/board/index.ts'
import { modelLabel } from '#lib/domain/record/index.ts'
import {
  type AxisReport,
  type AxisRow,
  type AxisSlug,
  type AxisValue,
  reportSections,
} from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatCount, visibleText } from '../ui/format.ts'
import { type CostPoint, scatterFigure } from './cost-figure.ts'
import type { Figure } from './figure.ts'
import { drawRanges, type RangeGroup, type RangePoint } from './range-figure.ts'

type ReportOptions = {
  scale: ChartScale
  /** The styles of all entries of the board, by row id. */
  styles: ReadonlyMap<string, EntryStyle>
}
type Builder = (report: AxisReport, options: ReportOptions) => Figure | null

const BUILDERS: Record<AxisSlug, Builder | null> = {
  'task-completion': rates('success', 'Success rate in per cent'),
  'fault-recovery': rates('recovery', 'Recovery rate in per cent of injected faults'),
  'logged-in': rates('logged-in-success', 'Success rate on logged-in tasks in per cent'),
  'token-efficiency': against('tokens-per-success', 1e3, 'k tokens'),
  'token-cost': against('expected-cost', 1e6, 'USD'),
  speed: times,
  'developer-experience': null,
}

/** The chart of a report; null without data. */
export function reportFigure(report: AxisReport, options: ReportOptions): Figure | null {
  return BUILDERS[report.axis.slug]?.(report, options) ?? null
}

function rates(id: string, says: string): Builder {
  return (report, { styles }) => {
    const groups = grouped(report, id, ({ row, figure, value }) =>
      rangePoint(
        row,
        figure,
        styles,
        [value, figure.low ?? value, figure.high ?? value].map((rate) => 100 * rate),
      ),
    )
    for (const { points } of groups) points.sort((a, b) => b.value - a.value)
    return drawRanges(groups, {
      title: report.axis.title,
      unit: '%',
      sample: describeRows(report),
      method: `${says} with 95\u00a0% confidence intervals. Filled markers are ranked results.`,
    })
  }
}

function times(report: AxisReport, { styles }: ReportOptions): Figure | null {
  const groups = grouped(report, 'solved-p50', ({ row, figure, value }) => {
    const end = row.values['solved-p95']?.value ?? value
    return rangePoint(row, figure, styles, [value / 1e3, value / 1e3, end / 1e3])
  })
  for (const { points } of groups) points.sort((a, b) => a.value - b.value)
  return drawRanges(groups, {
    title: report.axis.title,
    unit: 's',
    sample: describeRows(report),
    method:
      'Solved episodes: marker at the median, line to the 95th percentile. Filled markers are ranked results.',
  })
}

function against(id: string, divisor: number, unit: string): Builder {
  return (report, { scale, styles }) => {
    const points = known(report.claims.concat(report.others), id).flatMap(
      ({ row, figure, value }): CostPoint[] => {
        const success = row.values.success
        if (!success || success.value === null) return []
        return [
          {
            ...linkTo(row, figure, styles),
            claim: row.label === 'primary',
            cost: value / divisor,
            costLow: scaled(figure.low, 1 / divisor),
            costHigh: scaled(figure.high, 1 / divisor),
            success: success.value * 100,
            low: scaled(success.low, 100),
            high: scaled(success.high, 100),
          },
        ]
      },
    )
    if (points.length === 0) return null
    return scatterFigure(points, {
      title: report.axis.title,
      sample: describeRows(report),
      scale,
      unit,
    })
  }
}

/** Undefined if the report has no bound; then no line is drawn. */
function scaled(value: number | null | undefined, factor: number): number | undefined {
  return value === null || value === undefined ? undefined : value * factor
}

type Known = { row: AxisRow; figure: AxisValue; value: number }

/** One group per section of the report, because rows of different pools are never in one order. */
function grouped(
  report: AxisReport,
  id: string,
  toPoint: (known: Known) => RangePoint,
): RangeGroup[] {
  return reportSections(report)
    .map(({ title, rows }) => ({ title, points: known(rows, id).map(toPoint) }))
    .filter(({ points }) => points.length > 0)
}

function known(rows: readonly AxisRow[], id: string): Known[] {
  return rows.flatMap((row) => {
    const figure: AxisValue | undefined = row.values[id]
    return figure && figure.value !== null ? [{ row, figure, value: figure.value }] : []
  })
}

type Styles = ReportOptions['styles']

function rangePoint(
  row: AxisRow,
  figure: AxisValue,
  styles: Styles,
  [value = 0, low = 0, high = 0]: readonly number[],
): RangePoint {
  const claim = row.label === 'primary' || row.label === 'stress'
  return { ...linkTo(row, figure, styles), claim, value, low, high }
}

/** Returns the fields that points of all charts of reports share. */
function linkTo(row: AxisRow, { episodes, tasks }: AxisValue, styles: Styles) {
  const { rowId } = row
  const counts = [
    ...(episodes === null ? [] : [countOf(episodes, 'episode')]),
    ...(tasks === null ? [] : [countOf(tasks, 'task')]),
  ]
  return {
    id: rowId,
    rowId,
    name: nameOf(row),
    href: `/rows/${rowId}`,
    style: styles.get(rowId) ?? { colour: 0, pattern: 0 },
    size: counts.length > 0 ? `n: ${counts.join(', ')}` : '',
  }
}

/** Includes what distinguishes rows of one subject, as on the board's charts. */
function nameOf({ subject, browser, fault }: AxisRow): string {
  const conditions = formatConditions({ subject, settings: { browser, fault } })
  const parts = [subject.name, conditions, modelLabel(subject) ?? subject.version]
  return visibleText(parts.filter(Boolean).join(' · '))
}

function describeRows({ claims, others }: AxisReport): string {
  const rows = claims.length + others.length
  const controls = others.filter(({ subject }) => subject.kind === 'control').length
  return `${formatRowCounts({ rows, controls })}, ${formatCount(claims.length)} ranked`
}
