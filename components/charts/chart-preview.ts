import { drawable, type WhiskerPosition } from '#lib/domain/reports/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { shortDigest } from '../ui/format.ts'
import type { Axis, Chart, ChartPoint } from './chart.ts'
import { chartDomains, type Domain, formatTick } from './chart-scale.ts'
import type { Figure } from './figure.ts'
import type { ChartSource } from './figure-view.tsx'

/** One line of a card. */
export type PreviewRow = {
  name: string
  text: string
  whisker: WhiskerPosition
  isClaim: boolean
  /** Colour index of the entry, from 1; 0 or absent = the colour of its badge. */
  colour?: number
}

/** Texts of a chart's preview card. */
export type ChartPreview = ReturnType<typeof chartPreview>

const MAX_ROWS = 7

/** Makes the texts of a chart's preview card, with one point per entry. */
export function chartPreview(figure: Figure, { suite, updated }: ChartSource) {
  const rows = figure.chart ? previewRows(figure.chart) : []
  const date = updated === null ? '' : `, measured until ${updated.slice(0, 10)}`
  const left = rows.length - MAX_ROWS
  return {
    suite: suite.suiteId,
    title: drawable(figure.title),
    unit: drawable(`Unit: ${figure.unit}`),
    rows: rows.slice(0, MAX_ROWS),
    /** `and 3 more lines`, if lines are left out; null = none. */
    more: left > 0 ? `and ${countOf(left, 'more line')}` : null,
    sample: `n: ${figure.sample}`,
    source: `Version ${shortDigest(suite.digest)}${date}`,
  }
}

function previewRows(chart: Chart): PreviewRow[] {
  const domains = chartDomains(chart)
  const isAcross = chart.rows !== undefined || chart.join === 'step'
  return (chart.rows ?? chart.series).flatMap((_, index) => {
    const own = chart.points.filter(({ series, y }) => (chart.rows ? y : series) === index)
    const point = isAcross && chart.join ? middleOf(own) : own.at(-1)
    if (!point) return []
    const { isSolid: isClaim } = point
    const { colour = 0 } = chart.series[point.series]?.style ?? {}
    const name = drawable(point.name)
    const value = isAcross
      ? { axis: chart.x, domain: domains.x, at: point.x, low: point.xLow, high: point.xHigh }
      : { axis: chart.y, domain: domains.y, at: point.y, low: point.yLow, high: point.yHigh }
    return [
      { name, text: shownValue(value.at, value.axis), whisker: place(value), isClaim, colour },
    ]
  })
}

/** The median of a distribution. */
function middleOf(points: readonly ChartPoint[]): ChartPoint | undefined {
  return points.find(({ y }) => y >= 50)
}

function shownValue(value: number, { format, title }: Axis): string {
  if (format === 'percent') return `${value.toFixed(1)}\u00a0%`
  return `${formatTick(Number(value.toPrecision(3)), format)} ${title}`
}

type Placed = { domain: Domain; at: number; low: Bound; high: Bound }
type Bound = number | null | undefined

function place({ domain: [from, to], at, low, high }: Placed): WhiskerPosition {
  const share = (value: number) => Math.min(Math.max(((value - from) / (to - from)) * 100, 0), 100)
  return { rate: share(at), low: share(low ?? at), high: share(high ?? at) }
}
