import type { BoardRow } from '#lib/domain/board/index.ts'
import { formatInterval, percentOf } from '../ui/format.ts'
import type { Chart, Series } from './chart.ts'
import {
  type ChartEntry,
  describeSample,
  describeSize,
  type Figure,
  linkTo,
  toSeries,
} from './figure.ts'

type CurvePoint = NonNullable<BoardRow['reliability']>['points'][number]

/** A pass^k curve of an entry. */
type ReliabilityCurve = {
  series: Series
  /** True if the entry is ranked. */
  claim: boolean
  /** `n: 60 episodes, 20 tasks`. */
  size: string
  points: readonly CurvePoint[]
  link?: ReturnType<typeof linkTo>
}

/** pass^k over k with its band, one curve per entry; null if no task was repeated. */
export function reliabilityFigure(entries: readonly ChartEntry[]): Figure | null {
  const known = entries.filter(({ row }) => (row.reliability?.points.length ?? 0) > 0)
  const curves = known.map((entry) => ({
    series: toSeries(entry),
    claim: entry.pool !== null,
    size: describeSize(entry.row),
    points: entry.row.reliability?.points ?? [],
    link: linkTo(entry),
  }))
  if (curves.length === 0) return null
  const methods = [...new Set(known.map(({ row }) => row.reliability?.method ?? ''))]
  return {
    title: 'Consistency (pass^k)',
    unit: 'per cent of tasks, by number of attempts k',
    sample: describeSample(known),
    method: `Probability that k attempts at the same task all succeed. Bands: 95\u00a0% confidence intervals (${methods.join('; ')}).`,
    notes:
      known.length < entries.length ? ['Entries with one attempt per task have no curve.'] : [],
    chart: reliabilityChart(curves, 320),
    table: [
      ['entry', 'k', 'pass^k', 'from', 'to'],
      ...curves.flatMap(({ series: { name }, points }) =>
        points.map(({ k, rate, low, high }) => [name, k, rate, low, high]),
      ),
    ],
    columns: { 2: 'share', 3: 'share', 4: 'share' },
  }
}

/** Curves with their bands; a single one has no legend. */
export function reliabilityChart(curves: readonly ReliabilityCurve[], height: number): Chart {
  return {
    label: `pass^k by number of attempts. ${curves.map(describe).join('; ')}.`,
    x: { title: 'k attempts', format: 'count', scale: 'linear' },
    y: { title: 'All k attempts succeed', format: 'percent', scale: 'linear' },
    series: curves.map(({ series }) => series),
    points: curves.flatMap(({ series: { id, name }, points, claim, size, link }, series) =>
      points.map((point) => ({
        id: `${id} ${point.k}`,
        series,
        name,
        isSolid: claim,
        x: point.k,
        y: point.rate * 100,
        yLow: point.low * 100,
        yHigh: point.high * 100,
        text: [describePoint(point), size].filter(Boolean).join(', '),
        ...link,
      })),
    ),
    join: 'line',
    hasBands: true,
    hasNoLegend: curves.length < 2,
    height: { wide: height, narrow: height },
  }
}

function describePoint({ k, rate, low, high }: CurvePoint): string {
  return `${percentOf(rate)} at k = ${k} (${formatInterval(low, high)})`
}

function describe({ series: { name }, points }: ReliabilityCurve): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => (point ? describePoint(point) : []))
  return `${name}: ${ends.join(', ')}`
}
