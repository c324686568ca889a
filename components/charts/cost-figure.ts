import type { ChartScale } from '#lib/domain/api/index.ts'
import { formatDollars, formatInterval, percentOf } from '../ui/format.ts'
import { type Chart, type ChartPoint, frontier } from './chart.ts'
import { formatTick } from './chart-scale.ts'
import { type ChartEntry, describeSample, describeSize, type Figure, linkTo } from './figure.ts'

/** Cost per success and success in per cent, with their intervals if known. */
export type CostPoint = Pick<
  ChartPoint,
  'id' | 'name' | 'isFirst' | 'isContext' | 'href' | 'rowId'
> & {
  claim: boolean
  style: ChartEntry['style']
  /** `n: 60 episodes, 20 tasks`; empty = unknown. */
  size: string
  cost: number
  costLow?: number | null | undefined
  /** Upper bound; null = none. */
  costHigh?: number | null | undefined
  success: number
  low?: number | null | undefined
  high?: number | null | undefined
}

type CostOptions = Pick<Figure, 'title' | 'sample'> & { scale: ChartScale; unit: string }

/** Cost per success and success, for entries with both. */
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

/** Median time of solved episodes and success, for entries without a cost. */
export function timePoints(entries: readonly ChartEntry[]): CostPoint[] {
  return spentPoints(entries, ({ solvedMs: { p50 } }) =>
    p50 === null ? null : { cost: p50 / 1000 },
  )
}

type Spent = Pick<CostPoint, 'cost' | 'costLow' | 'costHigh'>

/** Entries with a known success, and the value that `spentBy` returns for each; null = unknown. */
function spentPoints(
  entries: readonly ChartEntry[],
  spentBy: (row: ChartEntry['row']) => Spent | null,
): CostPoint[] {
  return entries.flatMap((entry) => {
    const { id, name, pool, style, row } = entry
    const { rate, low, high } = row.success
    const spent = spentBy(row)
    if (spent === null || rate === null) return []
    const success = { success: rate * 100, low: inUnits(low, 100), high: inUnits(high, 100) }
    const claim = pool !== null
    return [
      { id, name, claim, style, size: describeSize(row), ...linkTo(entry), ...spent, ...success },
    ]
  })
}

function inUnits(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

/** Cost against success for one pool, with the unranked entries hollow; null if no cost is known. */
export function costFigure(entries: readonly ChartEntry[], scale: ChartScale): Figure | null {
  const points = costPoints(entries)
  if (points.length === 0) return null
  const shown = entries.filter(({ id }) => points.some((point) => point.id === id))
  const sample = describeSample(shown)
  return scatterFigure(points, { title: 'Cost and success', sample, scale, unit: 'USD' })
}

/** A scatter chart of cost or time against success. */
export function scatterFigure(points: readonly CostPoint[], options: CostOptions): Figure {
  const { title, sample, scale, unit } = options
  const hasFree = points.some(({ cost }) => cost <= 0)
  return {
    title,
    sample,
    unit: `${unit} per success, success in per cent`,
    method:
      'Lines: 95\u00a0% confidence intervals. Dashed: Pareto frontier of the ranked results; the shaded region costs more and solves less.',
    notes: hasFree ? ['On a log scale, free entries are at the left edge.'] : [],
    chart: costChart(points, { scale, unit }),
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

type CostLayout = {
  scale: ChartScale
  unit: string
  /** Title of the horizontal axis; absent = the unit per success. */
  axis?: string
}

/** Top left is best. */
export function costChart(
  points: readonly CostPoint[],
  { scale, unit, axis = `${unit} per success` }: CostLayout,
): Chart {
  const best = frontier(
    points
      .filter(({ claim }) => claim)
      .map(({ id, cost, success }) => ({ id, x: cost, y: success })),
  )
  const isOnFrontier = (id: string) => best.some((point) => point.id === id)
  const descriptions = points.map(
    ({ name, cost, success }) =>
      `${name}: ${formatSpent(cost, unit)}, ${success.toFixed(1)}\u00a0%`,
  )
  return {
    label: `${axis} against success. ${descriptions.join('; ')}.`,
    x: { title: axis, format: 'number', scale, hasScales: true },
    y: { title: 'Success', format: 'percent', scale: 'linear' },
    series: points.map(({ id, name, style }) => ({ id, name, style })),
    points: points.map((point, series) => {
      const { id, name, claim, cost, costLow, costHigh, success, low, high } = point
      const isFirst = isOnFrontier(id) || (point.isFirst ?? false)
      return {
        id,
        series,
        name,
        href: point.href,
        isSolid: claim,
        isFirst,
        text: describePoint(point, unit, axis),
        x: cost,
        y: success,
        xLow: costLow,
        xHigh: costHigh,
        yLow: low,
        yHigh: high,
        ...(point.rowId === undefined ? {} : { rowId: point.rowId }),
        ...(point.isContext ? { isContext: true } : {}),
        ...(point.isContext && !isOnFrontier(id) ? {} : { label: name }),
      }
    }),
    hasFrontier: true,
    height: { wide: 340, narrow: 290 },
  }
}

function formatSpent(cost: number, unit: string): string {
  return unit === 'USD'
    ? formatDollars(cost * 1e6)
    : `${formatTick(Number(cost.toFixed(1)), 'number')} ${unit}`
}

function describePoint(
  { cost, costLow, costHigh, success, low, high, size }: CostPoint,
  unit: string,
  axis: string,
): string {
  const end = isNumber(costHigh) ? formatSpent(costHigh, unit) : '∞'
  const costs = isNumber(costLow) ? ` (${formatSpent(costLow, unit)}–${end})` : ''
  const rates = isNumber(low) && isNumber(high) ? ` (${formatInterval(low / 100, high / 100)})` : ''
  const spent = `${formatSpent(cost, unit)}${axis.startsWith(unit) ? ' per success' : ''}${costs}`
  const solved = `${percentOf(success / 100)} solved${rates}`
  return [spent, solved, size].filter(Boolean).join(', ')
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}
