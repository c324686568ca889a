import type { ChartScale } from '#lib/domain/api/index.ts'
import { formatDollars, formatInterval, formatPercent } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis, leftAxis } from './axes.ts'
import {
  area,
  type Drawing,
  fittedNames,
  group,
  isNarrow,
  line,
  mark,
  type Plot,
  path,
  rounded,
  type SvgNode,
  strokeOf,
  TEXT_WIDTH,
  type Tone,
  tellingParts,
  text,
} from './drawing.ts'
import { type ChartEntry, describeSample, type Figure } from './figure.ts'
import { type Box, placeLabels } from './place-labels.ts'
import { type AxisScale, formatTick, linearScale, logScale, percentScale } from './scale.ts'

/** Cost of one success against success, both with their intervals where they are known. */
export type CostPoint = {
  id: string
  name: string
  claim: boolean
  cost: number
  costLow?: number | null | undefined
  /** Null = without an upper bound. */
  costHigh?: number | null | undefined
  success: number
  low?: number | null | undefined
  high?: number | null | undefined
  tone?: Tone
  /** Named before the others. */
  isFirst?: boolean
  /** Drawn to show where the others stand: without a name, unless it is on the frontier. */
  isContext?: boolean
}

type CostOptions = Pick<Figure, 'title' | 'sample'> & { scale: ChartScale; unit: string }

/** Cost per success against success, where both are known. */
export function costPoints(entries: readonly ChartEntry[]): CostPoint[] {
  return spentPoints(entries, ({ costPerSuccessMicroUsd: cost, costPerSuccessInterval }) => {
    if (cost === null) return null
    const { lowMicroUsd = null, highMicroUsd = null } = costPerSuccessInterval ?? {}
    return {
      cost: cost / 1e6,
      costLow: inUnits(lowMicroUsd, 1e-6),
      costHigh: inUnits(highMicroUsd, 1e-6),
    }
  })
}

/** Median time of the solved episodes against success, for entries without a cost. */
export function timePoints(entries: readonly ChartEntry[]): CostPoint[] {
  return spentPoints(entries, ({ solvedMs: { p50 } }) =>
    p50 === null ? null : { cost: p50 / 1000 },
  )
}

type Spent = Pick<CostPoint, 'cost' | 'costLow' | 'costHigh'>

/** Entries whose success is known, with what `spentBy` says of each; null = unknown. */
function spentPoints(
  entries: readonly ChartEntry[],
  spentBy: (row: ChartEntry['row']) => Spent | null,
): CostPoint[] {
  return entries.flatMap(({ id, name, pool, style, row }) => {
    const { rate, low, high } = row.success
    const spent = spentBy(row)
    if (spent === null || rate === null) return []
    const success = { success: rate * 100, low: inUnits(low, 100), high: inUnits(high, 100) }
    const { tone } = strokeOf(style)
    return [{ id, name, claim: pool !== null, tone, ...spent, ...success }]
  })
}

function inUnits(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

/** The points that no other point beats in both cost and success, cheapest first: the Pareto frontier. */
export function frontier<P extends Pick<CostPoint, 'cost' | 'success'>>(points: readonly P[]): P[] {
  const byCost = [...points].sort((a, b) => a.cost - b.cost || b.success - a.success)
  let best = Number.NEGATIVE_INFINITY
  return byCost.filter(({ success }) => {
    const isBetter = success > best
    best = Math.max(best, success)
    return isBetter
  })
}

/** Cost against success of one pool, with the unranked entries hollow beside it; null where no cost is known. */
export function costFigure(entries: readonly ChartEntry[], scale: ChartScale): Figure | null {
  const points = costPoints(entries)
  if (points.length === 0) return null
  const shown = entries.filter(({ id }) => points.some((point) => point.id === id))
  const sample = describeSample(shown)
  return scatterFigure(points, { title: 'Cost and success', sample, scale, unit: 'USD' })
}

/** A scatter chart of something spent against success. */
export function scatterFigure(points: readonly CostPoint[], options: CostOptions): Figure {
  const { title, sample, scale, unit } = options
  const free = points.filter(({ cost }) => cost <= 0).length
  return {
    ...{ title, sample },
    unit: `${unit} per success (${scale} scale), success in per cent`,
    method:
      'Lines: 95 % confidence intervals. Dashed: Pareto frontier of the ranked results; the shaded region costs more and solves less.',
    notes: scale === 'log' && free > 0 ? ['Free entries are at the left edge.'] : [],
    draw: (width) => costDrawing(points, { width, scale, unit }),
    table: [
      ['entry', 'ranked', `${unit} per success`, 'from', 'to', 'success, %', 'from', 'to'],
      ...points.map(({ name, claim, cost, costLow, costHigh, success, low, high }) => [
        name,
        claim ? 'yes' : 'no',
        ...[cost, costLow, costHigh, success, low, high].map((value) =>
          value === null || value === undefined ? null : Number(value.toPrecision(6)),
        ),
      ]),
    ],
  }
}

const HEIGHT = 340
const NARROW_HEIGHT = 290

type CostLayout = {
  width: number
  scale: ChartScale
  unit: string
  /** What is spent; absent = the unit per success. */
  axis?: string
}

/** Top left is best. */
export function costDrawing(
  points: readonly CostPoint[],
  { width, scale, unit, axis = `${unit} per success` }: CostLayout,
): Drawing {
  const height = isNarrow(width) ? NARROW_HEIGHT : HEIGHT
  const plot = { left: 44, right: width - 12, top: 24, bottom: height - AXIS_HEIGHT }
  const x = costScale(points, scale, plot)
  const y = percentScale([plot.bottom, plot.top])
  const best = frontier(points.filter(({ claim }) => claim))
  const drawn = points.map((point) => pointNodes(point, { x, y, plot, unit, axis }))
  const said = points.map(
    ({ name, cost, success }) => `${name}: ${formatCost(cost, unit)}, ${success.toFixed(1)} %`,
  )
  const nodes = [
    ...leftAxis(y, plot, 'Success'),
    ...bottomAxis(x, plot, { title: `${axis}, ${scale} scale →`, grid: true }),
    ...(best.length > 0 ? frontierNodes(best, { x, y, plot }) : []),
    ...drawn,
    ...labelNodes(points, best, { x, y, plot }),
  ]
  return { width, height, label: `${axis} against success. ${said.join('; ')}.`, nodes }
}

function costScale(points: readonly CostPoint[], scale: ChartScale, plot: Plot): AxisScale {
  const values = points.flatMap(({ cost, costLow, costHigh }) =>
    [cost, costLow, costHigh].filter((value) => typeof value === 'number'),
  )
  const places = [plot.left, plot.right] as const
  return scale === 'log' ? logScale(values, places) : linearScale([0, Math.max(...values)], places)
}

function formatCost(cost: number, unit: string): string {
  return unit === 'USD'
    ? formatDollars(cost * 1e6)
    : `${formatTick(Number(cost.toFixed(1)))} ${unit}`
}

type Axes = { x: AxisScale; y: AxisScale; plot: Plot }

type PointOptions = Axes & Required<Pick<CostLayout, 'unit' | 'axis'>>

function pointNodes(point: CostPoint, options: PointOptions): SvgNode {
  const { claim, cost, costLow, costHigh, success, low, high } = point
  const { x, y, plot } = options
  const tone = point.isContext ? 'line-strong' : (point.tone ?? (claim ? 'accent' : 'muted'))
  const [cx, cy] = [x.at(cost), y.at(success)]
  const across = (to: number) => line([x.at(costLow ?? cost), cy, to, cy], tone, INTERVAL)
  return group(describePoint(point, options), [
    ...(isNumber(costLow) ? [across(costHigh === null ? plot.right : x.at(costHigh ?? cost))] : []),
    ...(isNumber(low) && isNumber(high)
      ? [line([cx, y.at(low), cx, y.at(high)], tone, INTERVAL)]
      : []),
    mark(cx, cy, tone, claim),
  ])
}

function describePoint(
  { name, cost, costLow, costHigh, success, low, high }: CostPoint,
  { unit, axis }: PointOptions,
): string {
  const end = isNumber(costHigh) ? formatCost(costHigh, unit) : '∞'
  const costs = isNumber(costLow) ? ` (${formatCost(costLow, unit)}–${end})` : ''
  const rates = isNumber(low) && isNumber(high) ? ` (${formatInterval(low / 100, high / 100)})` : ''
  const spent = `${formatCost(cost, unit)}${axis.startsWith(unit) ? ' per success' : ''}${costs}`
  return `${name}: ${spent}, ${formatPercent(success / 100)} % solved${rates}`
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

const INTERVAL = { width: 1.5, faint: 0.5 }
const LEADER = { faint: 0.6 }

/** The best rate that each cost buys, as steps, and the shaded region that costs more and solves less. */
function frontierNodes(best: readonly CostPoint[], { x, y, plot }: Axes): SvgNode[] {
  const [first] = best
  if (!first) return []
  const start = `M${rounded(x.at(first.cost))} ${rounded(y.at(first.success))}`
  const steps = best.map(({ cost, success }) => `H${rounded(x.at(cost))}V${rounded(y.at(success))}`)
  const line = `${start}${steps.join('')}H${plot.right}`
  return [
    area(`${line}V${plot.bottom}H${rounded(x.at(first.cost))}Z`, 'muted', 0.07),
    path(line, 'line-strong', { dash: '3 3' }),
  ]
}

/** Names where there is room: over no point, and over no interval and no part of the frontier as long as that can be. */
function labelNodes(
  points: readonly CostPoint[],
  best: readonly CostPoint[],
  { x, y, plot }: Axes,
): SvgNode[] {
  const steps = best.map(({ cost, success }, index): Box => {
    const next = best[index + 1]
    const right = next ? x.at(next.cost) : plot.right
    return { left: x.at(cost), right, top: y.at(success) - 1, bottom: y.at(success) + 1 }
  })
  const ranked = [...points].sort((a, b) => Number(b.claim) - Number(a.claim))
  const labelOf = labeller(points, plot)
  const named = ranked.map((point) => ({
    id: point.id,
    name: point.isContext && !best.includes(point) ? '' : labelOf(point.name),
    ...{ x: x.at(point.cost), y: y.at(point.success) },
    isFirst: best.includes(point) || (point.isFirst ?? false),
  }))
  const frame = { left: plot.left, top: plot.top - 8, right: plot.right + 10, bottom: plot.bottom }
  const placed = placeLabels(named, frame, [
    ...steps,
    ...points.flatMap((point) => bars(point, { x, y, plot })),
  ])
  return [
    ...placed.flatMap(({ leader }) => (leader ? [line(leader, 'ink', LEADER)] : [])),
    ...placed.map(({ name, x: left, y: top, anchor }) =>
      text(name, left, top, { tone: 'ink', anchor, halo: true }),
    ),
  ]
}

const MOST_LETTERS = { wide: 32, narrow: 24 } as const

/** In a narrow chart a name loses what tells it from no other. */
function labeller(points: readonly CostPoint[], { right }: Plot): (name: string) => string {
  const all = points.map(({ name }) => name)
  const narrow = isNarrow(right)
  const shown = (name: string) => (narrow ? tellingParts(name, all).join(' · ') : name)
  const most = narrow ? MOST_LETTERS.narrow : MOST_LETTERS.wide
  const labelOf = fittedNames(all.map(shown), most * TEXT_WIDTH)
  return (name) => labelOf(shown(name))
}

/** Both intervals of a point as boxes that no name may cover. */
function bars({ cost, costLow, costHigh, success, low, high }: CostPoint, { x, y, plot }: Axes) {
  const [cx, cy] = [x.at(cost), y.at(success)]
  const right =
    costHigh === null && typeof costLow === 'number' ? plot.right : x.at(costHigh ?? cost)
  const across: Box = { left: x.at(costLow ?? cost), right, top: cy - 1, bottom: cy + 1 }
  const upright: Box = {
    ...{ left: cx - 1, right: cx + 1 },
    ...{ top: y.at(high ?? success), bottom: y.at(low ?? success) },
  }
  return [across, upright]
}
