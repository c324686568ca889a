import type { BoardRow, EntryStyle } from '#lib/domain/board/index.ts'
import { formatInterval, formatPercent } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis, leftAxis, legend } from './axes.ts'
import {
  area,
  type Drawing,
  group,
  isNarrow,
  mark,
  path,
  rounded,
  type SvgNode,
  strokeOf,
} from './drawing.ts'
import { type ChartEntry, describeSample, type Figure } from './figure.ts'
import { type AxisScale, percentScale } from './scale.ts'

type CurvePoint = NonNullable<BoardRow['reliability']>['points'][number]

/** A pass^k curve; a ranked one has full marks. */
export type ReliabilityCurve = {
  name: string
  style: EntryStyle
  claim: boolean
  points: readonly CurvePoint[]
}

/** pass^k over k with its band, a curve for each entry; null where no task was repeated. */
export function reliabilityFigure(entries: readonly ChartEntry[]): Figure | null {
  const known = entries.filter(({ row }) => (row.reliability?.points.length ?? 0) > 0)
  const curves = known.map(({ name, style, pool, row }) => ({
    name,
    style,
    claim: pool !== null,
    points: row.reliability?.points ?? [],
  }))
  if (curves.length === 0) return null
  const methods = [...new Set(known.map(({ row }) => row.reliability?.method ?? ''))]
  return {
    title: 'Consistency (pass^k)',
    unit: 'per cent of tasks, by number of attempts k',
    sample: describeSample(known),
    method: `Probability that k attempts at the same task all succeed. Bands: 95 % confidence intervals (${methods.join('; ')}).`,
    notes:
      known.length < entries.length ? ['Entries with one attempt per task have no curve.'] : [],
    draw: (width) => reliabilityDrawing(curves, width, HEIGHT),
    table: [
      ['entry', 'k', 'pass^k', 'from', 'to'],
      ...curves.flatMap(({ name, points }) =>
        points.map(({ k, rate, low, high }) => [name, k, rate, low, high]),
      ),
    ],
  }
}

const HEIGHT = 280

/** Curves with their bands; a single one needs no legend. */
export function reliabilityDrawing(
  curves: readonly ReliabilityCurve[],
  width: number,
  height: number,
): Drawing {
  const plot = { left: 44, right: width - 12, top: 24, bottom: height }
  const last = Math.max(...curves.flatMap(({ points }) => points.map(({ k }) => k)))
  const x = countScale(last, [plot.left + 8, plot.right - 8], isNarrow(width) ? 6 : 12)
  const y = percentScale([plot.bottom, plot.top])
  const names =
    curves.length > 1 ? legend(curves, height + AXIS_HEIGHT, width) : { nodes: [], height: 0 }
  const said = curves.map(describe)
  return {
    width,
    height: height + AXIS_HEIGHT + names.height,
    label: `pass^k by number of attempts. ${said.join('; ')}.`,
    nodes: [
      ...leftAxis(y, plot, 'All k attempts succeed'),
      ...bottomAxis(x, plot, { title: 'k attempts' }),
      ...curves.map((curve) => curveNodes(curve, { x, y })),
      ...names.nodes,
    ],
  }
}

/** Whole numbers from 1; of many, those that have room. */
function countScale(last: number, [from, to]: [number, number], most: number): AxisScale {
  const at = (k: number) =>
    last < 2 ? (from + to) / 2 : from + ((k - 1) / (last - 1)) * (to - from)
  const every = Math.ceil(last / most)
  const counts = Array.from({ length: last }, (_, index) => index + 1)
  const shown = counts.filter((k) => k === 1 || k % every === 0)
  return { at, ticks: shown.map((value) => ({ value, at: at(value), text: String(value) })) }
}

type CurveLayout = { x: AxisScale; y: AxisScale }

function curveNodes(curve: ReliabilityCurve, { x, y }: CurveLayout): SvgNode {
  const { points, claim } = curve
  const { tone, dash } = strokeOf(curve.style)
  const place = (k: number, rate: number) => `${rounded(x.at(k))} ${rounded(y.at(rate * 100))}`
  const above = points.map(({ k, high }) => place(k, high))
  const below = points.map(({ k, low }) => place(k, low)).reverse()
  return group(describe(curve), [
    area(`M${[...above, ...below].join('L')}Z`, tone, 0.14),
    path(`M${points.map(({ k, rate }) => place(k, rate)).join('L')}`, tone, { width: 1.75, dash }),
    ...points.map(({ k, rate }) => mark(x.at(k), y.at(rate * 100), tone, claim)),
  ])
}

function describe({ name, points }: ReliabilityCurve): string {
  const [first, last] = [points[0], points.at(-1)]
  const said = (point: CurvePoint | undefined) =>
    point
      ? `${formatPercent(point.rate)} % at k = ${point.k} (${formatInterval(point.low, point.high)})`
      : 'unknown'
  return `${name}: ${said(first)}, ${said(last)}`
}
