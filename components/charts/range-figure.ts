import type { EntryStyle } from '#lib/domain/board/index.ts'
import { formatDuration, formatInterval, percentOf } from '../ui/format.ts'
import { type Chart, type ChartPoint, type ChartRow, heightOfRows } from './chart.ts'
import {
  type ChartEntry,
  describeSample,
  describeSize,
  type Figure,
  limitNote,
  linkTo,
  splitEntries,
} from './figure.ts'

/** One line of a range chart: a mark and its interval. */
export type RangePoint = Pick<ChartPoint, 'id' | 'name' | 'rowId' | 'href'> & {
  claim: boolean
  style: EntryStyle
  /** `n: 60 episodes, 20 tasks`; empty = unknown. */
  size: string
  value: number
  low: number
  high: number
}

/** Points that may be in one order. */
export type RangeGroup = { title: string; points: RangePoint[] }

const MAX_LINES = 40

/** Success in per cent with its interval, best first within each band; rows without a number are omitted. */
export function successFigure(entries: readonly ChartEntry[]): Figure | null {
  return rangeFigure(entries, {
    title: 'Success rate',
    unit: '%',
    method:
      'Mean share of tasks solved, with 95\u00a0% confidence intervals. Filled markers are ranked.',
    pointOf: ({ row: { success } }) => {
      const { rate, low, high } = success
      if (rate === null) return null
      return { value: rate * 100, low: (low ?? rate) * 100, high: (high ?? rate) * 100 }
    },
    order: (a, b) => b.value - a.value,
  })
}

/** Time of solved episodes in seconds, from median to 95th percentile, fastest first within each band. */
export function timeFigure(entries: readonly ChartEntry[]): Figure | null {
  return rangeFigure(entries, {
    title: 'Time per solved episode',
    unit: 's',
    method:
      'Solved episodes: marker at the median, line to the 95th percentile. Filled markers are ranked.',
    pointOf: ({ row: { solvedMs } }) => {
      const { p50, p95 } = solvedMs
      return p50 === null ? null : { value: p50 / 1000, low: p50 / 1000, high: (p95 ?? p50) / 1000 }
    },
    order: (a, b) => a.value - b.value,
  })
}

type Measured = Pick<RangePoint, 'value' | 'low' | 'high'>
type RangeUnit = keyof typeof UNITS
type RangeOptions = Pick<Figure, 'title' | 'method'> & {
  unit: RangeUnit
  pointOf: (entry: ChartEntry) => Measured | null
  order: (a: RangePoint, b: RangePoint) => number
}

function rangeFigure(entries: readonly ChartEntry[], options: RangeOptions): Figure | null {
  const groups = splitEntries(entries).map(({ band, entries: own }): RangeGroup => {
    const points = own.flatMap((entry) => {
      const found = options.pointOf(entry)
      const { id, name, pool, style, row } = entry
      const size = describeSize(row)
      return found
        ? [{ id, name, claim: pool !== null, style, size, ...linkTo(entry), ...found }]
        : []
    })
    return { title: band.title, points: points.sort(options.order) }
  })
  return drawRanges(groups, { ...options, sample: describeSample(entries) })
}

/** Builds a range chart of groups; null if there are no points. */
export function drawRanges(
  groups: readonly RangeGroup[],
  options: Pick<Figure, 'title' | 'method' | 'sample'> & { unit: RangeUnit },
): Figure | null {
  const all = groups.flatMap(({ points }) => points)
  if (all.length === 0) return null
  const { title, unit, method, sample } = options
  const shown = firstLines(groups)
  return {
    title,
    method,
    sample,
    unit: UNITS[unit].name,
    notes: limitNote(Math.min(all.length, MAX_LINES), all.length),
    chart: rangeChart(shown, unit, `${title}. ${method}`),
    table: [
      ['group', 'entry', 'ranked', `value, ${unit}`, `from, ${unit}`, `to, ${unit}`],
      ...groups.flatMap(({ title: name, points }) =>
        points.map((point) => [
          name,
          point.name,
          point.claim ? 'yes' : 'no',
          ...[point.value, point.low, point.high].map(toFixed),
        ]),
      ),
    ],
  }
}

const toFixed = (value: number) => Number(value.toFixed(3))

/** The first lines of all groups together. */
function firstLines(groups: readonly RangeGroup[]): RangeGroup[] {
  let left = MAX_LINES
  return groups.flatMap(({ title, points }) => {
    const shown = points.slice(0, left)
    left -= shown.length
    return shown.length > 0 ? [{ title, points: shown }] : []
  })
}

/** Names of units, and values in them, rounded as in every table. */
const UNITS = {
  '%': {
    name: 'per cent',
    axis: '',
    format: ({ value, low, high }: Measured) =>
      `${percentOf(value / 100)}, ${formatInterval(low / 100, high / 100)}`,
  },
  s: {
    name: 'seconds',
    axis: 'seconds',
    format: ({ value, high }: Measured) =>
      `median ${formatDuration(1000 * value)}, 95th percentile ${formatDuration(1000 * high)}`,
  },
}

/** One row per point, and one per heading if there are several groups. */
function rangeChart(groups: readonly RangeGroup[], unit: RangeUnit, label: string): Chart {
  const { axis, format } = UNITS[unit]
  const rows: (ChartRow & { point?: RangePoint })[] = groups.flatMap(({ title, points }) => [
    ...(groups.length > 1 ? [{ name: title, isHeading: true }] : []),
    ...points.map((point) => ({ name: point.name, point })),
  ])
  const drawn = rows.flatMap(({ point }, y) => (point ? [{ point, y }] : []))
  return {
    label,
    x: { title: axis, format: unit === '%' ? 'percent' : 'number', scale: 'linear' },
    y: { title: '', format: 'number', scale: 'linear' },
    rows: rows.map(({ name, isHeading }) => ({ name, ...(isHeading ? { isHeading } : {}) })),
    series: drawn.map(({ point: { id, name, style } }) => ({ id, name, style })),
    points: drawn.map(({ point, y }, series) => ({
      id: point.id,
      name: point.name,
      rowId: point.rowId ?? point.id,
      href: point.href,
      series,
      y,
      x: point.value,
      xLow: point.low,
      xHigh: point.high,
      isSolid: point.claim,
      text: [format(point), point.size].filter(Boolean).join(', '),
    })),
    hasNoLegend: true,
    height: heightOfRows(rows.length),
  }
}
