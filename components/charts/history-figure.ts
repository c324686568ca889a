import type { NamedKind, NamedRow } from '#lib/domain/api/index.ts'
import { formatConditions, type HistoryRow } from '#lib/domain/board/index.ts'
import { countOf } from '#lib/domain/record/index.ts'
import { formatDay, formatInterval, formatPercent, shortDigest, visibleText } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis, leftAxis } from './axes.ts'
import { type Drawing, group, isNarrow, line, mark, text, whisker } from './drawing.ts'
import type { Figure } from './figure.ts'
import { placeLabels } from './place-labels.ts'
import { dayScale, percentScale } from './scale.ts'

/** What is drawn of a row. */
export type HistoryEntry = Omit<HistoryRow, 'changes' | 'firstStartedAt' | 'repetitions'>

/** One row in time: its rate (0–1) with the interval, and what it is. */
type HistoryPoint = {
  id: string
  at: string
  rate: number
  low: number | null
  high: number | null
  solid: boolean
  /** Version or model: named where it differs from the point before. */
  name: string
  /** Digest of the suite's tasks: rates on other tasks are no trend. */
  suite: string
}

export function toHistoryEntry({ row }: NamedRow): HistoryEntry {
  return { ...row, isStress: row.recovery !== null }
}

/** The rows of one agent or model on one suite over time; null with fewer than two. Rows under a fault are no history. */
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
      'Each point is an entry with its 95 % confidence interval, named where version or model changed. Filled markers are ranked. A dashed line: the tasks of the suite changed, so rates on its two sides are not comparable. A difference between two points can have several causes.',
    notes: rows.some(({ isStress }) => isStress)
      ? ['Entries with injected faults are not drawn.']
      : [],
    draw: (width) => historyDrawing(points, width),
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
  }
}

function toPoint(kind: NamedKind, row: HistoryEntry): HistoryPoint[] {
  const { rate, low, high } = row.success
  if (rate === null) return []
  const { name, version, modelRequested } = row.subject
  const parts = [kind === 'model' ? name : modelRequested, version, formatConditions(row)]
  return [
    {
      id: `${row.suiteDigest} ${row.rowId}`,
      at: row.lastStartedAt,
      ...{ rate, low, high },
      solid: row.label === 'primary',
      name: visibleText(parts.filter(Boolean).join(' ')),
      suite: row.suiteDigest,
    },
  ]
}

const HEIGHT = 250

function historyDrawing(sorted: readonly HistoryPoint[], width: number): Drawing {
  const plot = { left: 44, right: width - 12, top: 24, bottom: HEIGHT - AXIS_HEIGHT }
  const times = sorted.map(({ at }) => Date.parse(at))
  const x = dayScale(
    [times[0] ?? 0, times.at(-1) ?? 0],
    [plot.left + 24, plot.right - 24],
    isNarrow(width) ? 2 : 5,
  )
  const y = percentScale([plot.bottom, plot.top])
  const placed = sorted.map((point) => ({
    point,
    x: x.at(Date.parse(point.at)),
    y: y.at(point.rate * 100),
  }))
  const named = placed.filter(({ point }, index) => point.name !== sorted[index - 1]?.name)
  const marks = placed.flatMap(({ point, x: at }, index) => {
    const before = placed[index - 1]
    return before && before.point.suite !== point.suite ? [(before.x + at) / 2] : []
  })
  const labels = placeLabels(
    named.map(({ point, ...place }) => ({ id: point.id, name: point.name, ...place })),
    { left: plot.left, top: 12, right: width, bottom: plot.bottom },
    marks.map((at) => ({ left: at - 1, right: at + 1, top: plot.top, bottom: plot.bottom })),
  )
  const nodes = placed.map(({ point: { name, at, rate, low, high, solid }, x: cx, y: cy }) => {
    const tone = solid ? ('accent' as const) : ('muted' as const)
    const interval =
      low === null || high === null
        ? []
        : [whisker('y', { at: cx, low: y.at(low * 100), high: y.at(high * 100) }, tone)]
    const title = `${name}, ${formatDay(at)}: ${formatPercent(rate)} % (${formatInterval(low, high)})`
    return group(title, [...interval, mark(cx, cy, tone, solid)])
  })
  return {
    width,
    height: HEIGHT,
    label: 'Success rate over time. The table shows the same values.',
    nodes: [
      ...leftAxis(y, plot, 'Success'),
      ...bottomAxis(x, plot, { title: '' }),
      ...marks.map((at) =>
        group('Other tasks from here on', [
          line([at, plot.top, at, plot.bottom], 'line-strong', { dash: '3 3' }),
        ]),
      ),
      ...nodes,
      ...labels.map((label) =>
        text(label.name, label.x, label.y, { tone: 'ink', anchor: label.anchor, halo: true }),
      ),
    ],
  }
}
