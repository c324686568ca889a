import type { Axis, AxisFormat, Chart } from './chart.ts'

/** The two ends of an axis, in its unit. */
export type Domain = readonly [from: number, to: number]

/** The visible part of a chart. */
export type Zoom = { x: Domain; y: Domain }

const STEPS = [1, 2, 5, 10] as const
const DAY_MS = 86_400_000
/** Factor of padding at both ends of a log axis. */
const LOG_ROOM = 1.25

/** Ends of both axes, which include every interval. */
export function chartDomains({ x, y, points, rows }: Chart): Zoom {
  const known = (values: (number | null | undefined)[]) =>
    values.filter((value) => typeof value === 'number')
  const xs = known(points.flatMap(({ x: at, xLow, xHigh, from }) => [at, xLow, xHigh, from]))
  const ys = known(points.flatMap(({ y: at, yLow, yHigh }) => [at, yLow, yHigh]))
  return { x: domainOf(x, xs), y: rows ? [-0.5, rows.length - 0.5] : domainOf(y, ys) }
}

/** Returns true if an axis shows the value. */
export const isInside = (value: number, [low, high]: Domain) => value >= low && value <= high

/** Moves values of 0 to the edge of a log axis, which cannot show them. */
export function atEdge(chart: Chart, { x: [left] }: { x: Domain }): Chart {
  if (chart.x.scale !== 'log') return chart
  const clamp = <T extends number | null | undefined>(value: T) =>
    typeof value === 'number' ? Math.max(value, left) : value
  const points = chart.points.map((point) => ({
    ...point,
    x: Math.max(point.x, left),
    xLow: clamp(point.xLow),
    xHigh: clamp(point.xHigh),
  }))
  return { ...chart, points }
}

/** Ends of an axis for some values. Success always ranges from 0 to 100 %. */
export function domainOf({ format, scale }: Axis, values: readonly number[]): Domain {
  const min = Math.min(...values)
  const max = Math.max(...values)
  if (values.length === 0) return [0, 1]
  if (format === 'percent') return [0, 100]
  if (format === 'day') {
    const room = Math.max((max - min) * 0.05, DAY_MS / 24)
    return [min - room, max + room]
  }
  if (format === 'side') return [-0.6, 1.6]
  if (format === 'count') return [min - 0.5, Math.max(max, min + 1) + 0.5]
  if (scale === 'log') {
    const positive = values.filter((value) => value > 0)
    const low = (positive.length > 0 ? Math.min(...positive) : 1) / LOG_ROOM
    return [low, Math.max(max, low * 2) * LOG_ROOM]
  }
  const step = niceStep(max > 0 ? max : 1, 5)
  const below = Math.min(0, Math.floor(min / step + 1e-9))
  return [plain(below * step), plain(Math.max(1, Math.ceil(max / step - 1e-9)) * step)]
}

/** Round values inside a domain, about `most` at the maximum. */
export function ticksOf(
  { format, scale }: Pick<Axis, 'format' | 'scale'>,
  [low, high]: Domain,
  max = 5,
): number[] {
  if (format === 'percent' && low === 0 && high === 100) return [0, 25, 50, 75, 100]
  if (format === 'day') return dayTicks([low, high], max)
  if (format === 'side') return [0, 1]
  if (format === 'count') {
    const step = Math.max(1, Math.ceil((high - low) / (2 * max)))
    return multiples(step, low, high).filter((value) => value > 0)
  }
  return scale === 'log' ? logTicks(low, high, max) : evenTicks(low, high, max)
}

/** 1, 2 and 5 times powers of ten; only the powers if there are many. */
function logTicks(low: number, high: number, max: number): number[] {
  const first = Math.floor(Math.log10(low))
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, at) => at)
  const isShown = (value: number) => isInside(value, [low, high])
  const fine = powers
    .flatMap((at) => [1, 2, 5].map((step) => plain(step * 10 ** (first + at))))
    .filter(isShown)
  // A single label does not show the scale of the axis.
  if (fine.length < 2) return evenTicks(low, high, max)
  if (fine.length <= max) return fine
  const tens = powers.map((at) => plain(10 ** (first + at))).filter(isShown)
  if (tens.length < 2) return [fine[0] ?? low, fine.at(-1) ?? high]
  const every = Math.ceil(tens.length / max)
  return tens.filter((_, index) => index % every === 0)
}

function evenTicks(low: number, high: number, max: number): number[] {
  const [ticks = [low, high]] = [max, 2 * max]
    .map((parts) => multiples(niceStep(high - low || 1, parts), low, high))
    .filter(({ length }) => length > 1)
  return ticks
}

/** Midnights in UTC, or two times if fewer than two midnights are inside. */
function dayTicks([low, high]: Domain, max: number): number[] {
  const days = multiples(
    Math.max(1, niceStep((high - low) / DAY_MS, max)),
    low / DAY_MS,
    high / DAY_MS,
  )
  const quarter = (high - low) / 4
  return days.length > 1 ? days.map((day) => day * DAY_MS) : [low + quarter, high - quarter]
}

/** The smallest step of 1, 2 or 5 times a power of ten that divides a span into at most `most` parts. */
function niceStep(span: number, max: number): number {
  const min = span / max
  const power = 10 ** Math.floor(Math.log10(min))
  const factor = STEPS.find((step) => step * power >= min * (1 - 1e-9)) ?? 10
  return plain(factor * power)
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => plain((first + index) * step))
}

/** Removes rounding errors: 0.30000000000000004 → 0.3. */
function plain(value: number): number {
  return Number(value.toPrecision(12))
}

/** Formats a value as a label of the axis. */
export function formatTick(value: number, format: AxisFormat): string {
  if (format === 'day') return formatTime(value)
  if (format === 'side') return value === 0 ? 'plain' : 'under fault'
  if (format === 'percent') return value === 100 ? '100\u00a0%' : String(plain(value))
  const size = Math.abs(value)
  if (size >= 1e6) return `${plain(value / 1e6)}M`
  return size >= 1000 ? `${plain(value / 1000)}k` : String(plain(value)).replace('-', '−')
}

/** Formats a day, and the time unless it is midnight in UTC. */
function formatTime(ms: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T')
  return ms % DAY_MS === 0 ? day : `${day} ${time.slice(0, 5)}`
}

/** The middle half of both axes; for curves, of the horizontal axis only. */
export function zoomedIn({ x, y }: Zoom, chart: Chart): Zoom {
  const isCurve = chart.join !== undefined || chart.x.format === 'day'
  return { x: middleHalf(x, chart.x.scale), y: isCurve ? y : middleHalf(y, 'linear') }
}

function middleHalf([low, high]: Domain, scale: Axis['scale']): Domain {
  if (scale === 'log') return [low ** 0.75 * high ** 0.25, low ** 0.25 * high ** 0.75]
  const room = (high - low) / 4
  return [low + room, high - room]
}
