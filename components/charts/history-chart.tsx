import { AXIS_HEIGHT, bottomAxis, leftAxis } from './axes.ts'
import { type Drawing, group, isNarrow, mark, NARROW, text, WIDE, whisker } from './drawing.ts'
import { DrawingView } from './drawing-view.tsx'
import { placeLabels } from './place-labels.ts'
import { dayScale, percentScale } from './scale.ts'

/** One row in time: its rate (0–1) with the interval, and what it is. */
export type HistoryPoint = {
  id: string
  at: string
  rate: number
  low: number | null
  high: number | null
  solid: boolean
  /** Version or model: named where it differs from the point before. */
  name: string
}

/** Rows of one subject over time, each with its 95 % interval. Drawn on the server. */
export function HistoryChart({ points }: { points: readonly HistoryPoint[] }) {
  return <DrawingView draw={(width) => historyDrawing(points, width)} widths={[WIDE, NARROW]} />
}

const HEIGHT = 250

export function historyDrawing(points: readonly HistoryPoint[], width: number): Drawing {
  const sorted = [...points].sort((a, b) => (a.at < b.at ? -1 : 1))
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
  const labels = placeLabels(
    named.map(({ point, ...place }) => ({ id: point.id, name: point.name, ...place })),
    { left: plot.left, top: 12, right: width, bottom: plot.bottom },
  )
  const nodes = placed.map(({ point: { name, at, rate, low, high, solid }, x: cx, y: cy }) => {
    const tone = solid ? ('accent' as const) : ('muted' as const)
    const interval =
      low === null || high === null
        ? []
        : [whisker('y', { at: cx, low: y.at(low * 100), high: y.at(high * 100) }, tone)]
    const title = `${name}, ${at.slice(0, 10)}: ${(rate * 100).toFixed(1)} %`
    return group(title, [...interval, mark(cx, cy, tone, solid)])
  })
  return {
    width,
    height: HEIGHT,
    label: 'Success rate over time. The table shows the same values.',
    nodes: [
      ...leftAxis(y, plot, 'Success'),
      ...bottomAxis(x, plot, { title: '' }),
      ...nodes,
      ...labels.map((label) =>
        text(label.name, label.x, label.y, { tone: 'ink', anchor: label.anchor }),
      ),
    ],
  }
}
