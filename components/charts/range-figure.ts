import { formatDuration, formatInterval, formatPercent } from '../ui/format.ts'
import { AXIS_HEIGHT, bottomAxis } from './axes.ts'
import {
  type Drawing,
  fittedNames,
  group,
  isNarrow,
  lettersOf,
  mark,
  NARROW,
  type SvgNode,
  strokeOf,
  TEXT_WIDTH,
  type Tone,
  text,
  whisker,
} from './drawing.ts'
import { type ChartEntry, describeSample, type Figure, limitNote, splitEntries } from './figure.ts'
import { type AxisScale, linearScale, percentScale } from './scale.ts'

/** One line of a range chart: a mark and the ends of its whisker. */
export type RangePoint = {
  id: string
  name: string
  claim: boolean
  tone?: Tone
  value: number
  low: number
  high: number
}

/** Points that may share one order. */
export type RangeGroup = { title: string; points: RangePoint[] }

const MOST_LINES = 40

/** Success in per cent with its interval, best first within each band; rows without a number have no line. */
export function successFigure(entries: readonly ChartEntry[]): Figure | null {
  return rangeFigure(entries, {
    title: 'Success rate',
    unit: '%',
    method:
      'Mean share of tasks solved, with 95 % confidence intervals. Filled markers are ranked.',
    pointOf: ({ row: { success } }) => {
      const { rate, low, high } = success
      if (rate === null) return null
      return { value: rate * 100, low: (low ?? rate) * 100, high: (high ?? rate) * 100 }
    },
    order: (a, b) => b.value - a.value,
  })
}

/** Time of solved episodes in seconds, from the median to the 95th percentile, fastest first within each band. */
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
      const { id, name, pool, style } = entry
      const { tone } = strokeOf(style)
      return found ? [{ id, name, claim: pool !== null, tone, ...found }] : []
    })
    return { title: band.title, points: points.sort(options.order) }
  })
  return drawRanges(groups, { ...options, sample: describeSample(entries) })
}

/** A range chart of groups; null without any point. */
export function drawRanges(
  groups: readonly RangeGroup[],
  options: Pick<Figure, 'title' | 'method' | 'sample'> & { unit: RangeUnit },
): Figure | null {
  const all = groups.flatMap(({ points }) => points)
  if (all.length === 0) return null
  const { title, unit, method, sample } = options
  const shown = firstLines(groups)
  return {
    ...{ title, method, sample },
    unit: UNITS[unit].name,
    notes: limitNote(Math.min(all.length, MOST_LINES), all.length),
    draw: (width) => rangeDrawing(shown, { width, unit, label: `${title}. ${method}` }),
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

/** The first lines over all groups. */
function firstLines(groups: readonly RangeGroup[]): RangeGroup[] {
  let left = MOST_LINES
  return groups.flatMap(({ title, points }) => {
    const shown = points.slice(0, left)
    left -= shown.length
    return shown.length > 0 ? [{ title, points: shown }] : []
  })
}

const ROW = 26
const TALL_ROW = 40
const HEADING = 24

/** What a unit is called, on the axis and elsewhere, and a point in it, rounded as in every table. */
const UNITS = {
  '%': {
    ...{ name: 'per cent', axis: '' },
    format: ({ value, low, high }: Measured) =>
      `${formatPercent(value / 100)} %, ${formatInterval(low / 100, high / 100)}`,
  },
  s: {
    ...{ name: 'seconds', axis: 'seconds' },
    format: ({ value, high }: Measured) =>
      `median ${formatDuration(1000 * value)}, 95th percentile ${formatDuration(1000 * high)}`,
  },
}

type RangeLayout = { width: number; unit: RangeUnit; label: string }

/** One line a point; on a phone the name is above its line. */
function rangeDrawing(groups: readonly RangeGroup[], { width, unit, label }: RangeLayout): Drawing {
  const points = groups.flatMap((one) => one.points)
  const narrow = isNarrow(width)
  const names = Math.max(...points.map(({ name }) => lettersOf(name))) * TEXT_WIDTH + 14
  const left = narrow ? 8 : Math.min(names, width * 0.38)
  const row = narrow ? TALL_ROW : ROW
  const heading = groups.length > 1 ? HEADING : 0
  const bottom = groups.length * heading + points.length * row + 6
  const plot = { left, right: width - 20, top: 0, bottom }
  const x = rangeScale(points, unit, [plot.left, plot.right])
  const all = points.map(({ name }) => name)
  const labelOf = fittedNames(all, narrow ? NARROW : left - 10)
  const nodes: SvgNode[] = []
  let y = 0
  for (const { title, points: own } of groups) {
    if (heading > 0)
      nodes.push(text(title, 0, y + 16, { tone: 'ink', bold: true, size: 12, halo: true }))
    y += heading
    for (const point of own) {
      nodes.push(rangeLine(point, { x, y, row, left, narrow, unit, labelOf }))
      y += row
    }
  }
  const axis = bottomAxis(x, plot, { title: UNITS[unit].axis, grid: true })
  return { width, height: bottom + AXIS_HEIGHT, label, nodes: [...axis, ...nodes] }
}

function rangeScale(
  points: readonly RangePoint[],
  unit: RangeUnit,
  places: [number, number],
): AxisScale {
  if (unit === '%') return percentScale(places)
  return linearScale([0, Math.max(...points.map(({ high }) => high))], places)
}

type LineLayout = {
  x: AxisScale
  y: number
  row: number
  left: number
  narrow: boolean
  unit: RangeUnit
  labelOf: (name: string) => string
}

function rangeLine(
  point: RangePoint,
  { x, y, row, left, narrow, unit, labelOf }: LineLayout,
): SvgNode {
  const { name, claim, value, low, high } = point
  const tone = point.tone ?? (claim ? 'accent' : 'muted')
  const at = narrow ? y + row - 12 : y + row / 2
  const shown = narrow
    ? text(labelOf(name), 0, y + 14, { tone: 'ink', halo: true })
    : text(labelOf(name), left - 10, at + 4, { tone: 'ink', anchor: 'end' })
  return group(`${name}: ${UNITS[unit].format(point)}`, [
    shown,
    whisker('x', { at, low: x.at(low), high: x.at(high) }, tone),
    mark(x.at(value), at, tone, claim),
  ])
}
