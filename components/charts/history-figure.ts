import type { NamedKind, NamedRow } from '#lib/domain/api/index.ts'
import { type EntryStyle, formatConditions, type HistoryRow } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { formatDay, formatInterval, percentOf, shortDigest, visibleText } from '../ui/format.ts'
import type { Chart } from './chart.ts'
import { describeSize, type Figure } from './figure.ts'

/** The parts of a row that are drawn. */
export type HistoryEntry = Omit<HistoryRow, 'changes' | 'firstStartedAt' | 'repetitions'> & {
  /** Absent = drawn in a neutral colour. */
  style?: EntryStyle | undefined
}

type HistoryPoint = ReturnType<typeof toPoint>[number]

export function toHistoryEntry({ row, style }: NamedRow): HistoryEntry {
  return { ...row, style, isStress: row.recovery !== null }
}

/** Rows of one agent or model on one suite over time, without rows under faults; null with fewer than two. */
export function historyFigure(kind: NamedKind, rows: readonly HistoryEntry[]): Figure | null {
  const drawn = rows.filter(({ success, isStress }) => success.rate !== null && !isStress)
  const points = drawn.flatMap((row) => toPoint(kind, row)).sort((a, b) => (a.at < b.at ? -1 : 1))
  if (points.length < 2) return null
  const episodes = drawn.reduce((sum, { success }) => sum + success.attempts, 0)
  return {
    title: 'Success over time',
    unit: 'success in per cent, by the time of the last episode (UTC)',
    sample: `${countOf(points.length, 'entry')}, ${countOf(episodes, 'scored episode')}`,
    method:
      'Each point is an entry with its 95\u00a0% confidence interval, named where version or model changed. Filled markers are ranked. A dashed line: the tasks of the suite changed, so rates on its two sides are not comparable. A difference between two points can have several causes.',
    notes: rows.some(({ isStress }) => isStress)
      ? ['Entries with injected faults are not drawn.']
      : [],
    chart: historyChart(points),
    table: [
      ['last episode', 'entry', 'ranked', 'success', 'from', 'to', 'suite version'],
      ...points.map(({ at, name, suite, solid, rate, low, high }) => [
        at,
        name,
        solid ? 'yes' : 'no',
        ...[rate, low, high],
        shortDigest(suite),
      ]),
    ],
    columns: { 0: 'instant', 3: 'share', 4: 'share', 5: 'share' },
  }
}

/** One row at its time: its rate (0–1) with the interval, and its name, shown if it differs from the previous point. */
function toPoint(kind: NamedKind, row: HistoryEntry) {
  const { rate, low, high } = row.success
  if (rate === null) return []
  const { name, version, modelRequested } = row.subject
  const parts = [kind === 'model' ? name : modelRequested, version, formatConditions(row)]
  return [
    {
      id: `${row.suiteDigest} ${row.rowId}`,
      at: row.lastStartedAt,
      rate,
      low,
      high,
      solid: row.label === 'primary',
      name: visibleText(parts.filter(Boolean).join(' ')),
      // Rates on different tasks are not a trend.
      suite: row.suiteDigest,
      style: row.style ?? { colour: 0, pattern: 0 },
      size: describeSize(row),
      rowId: row.rowId,
      href: `/rows/${row.rowId}`,
    },
  ]
}

function historyChart(points: readonly HistoryPoint[]): Chart {
  const at = (point: HistoryPoint) => Date.parse(point.at)
  const marks = points.flatMap((point, index) => {
    const before = points[index - 1]
    if (!before || before.suite === point.suite) return []
    return [{ x: (at(before) + at(point)) / 2, text: 'Other tasks from here on' }]
  })
  return {
    label: 'Success rate over time. The table shows the same values.',
    x: { title: '', format: 'day', scale: 'linear' },
    y: { title: 'Success', format: 'percent', scale: 'linear' },
    series: points.map(({ id, name, style }) => ({ id, name, style })),
    points: points.map((point, series) => {
      const { id, name, rate, low, high, solid, size, rowId, href } = point
      const isNamed = name !== points[series - 1]?.name
      return {
        id,
        series,
        name,
        rowId,
        href,
        isSolid: solid,
        x: at(point),
        y: rate * 100,
        yLow: inPercent(low),
        yHigh: inPercent(high),
        text: `${formatDay(point.at)}: ${percentOf(rate)} (${formatInterval(low, high)}), ${size}`,
        ...(isNamed ? { label: name } : {}),
      }
    }),
    marks,
    hasNoLegend: true,
    height: { wide: 290, narrow: 290 },
  }
}

const inPercent = (rate: number | null): number | null => (rate === null ? null : rate * 100)
