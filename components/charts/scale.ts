/** A labelled place on an axis. */
export type Tick = { value: number; at: number; text: string }

/** The position of a value on an axis, in the units of the drawing, and the axis labels. */
export type AxisScale = { at: (value: number) => number; ticks: readonly Tick[] }

/** The two ends of an axis: values, or places in a drawing. */
export type ScaleEnds = readonly [from: number, to: number]

type ScaleOptions = { most?: number; format?: (value: number) => string }

const STEPS = [1, 2, 5, 10] as const
const MOST_TICKS = 5
const DAY_MS = 86_400_000

/** The smallest step of 1, 2 or 5 times a power of ten that divides a span into at most this many parts. */
export function niceStep(span: number, most: number): number {
  const least = span / most
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10
  return plain(factor * power)
}

/** A linear scale, widened to whole steps at both ends. */
export function linearScale(
  [low, high]: ScaleEnds,
  places: ScaleEnds,
  options: ScaleOptions = {},
): AxisScale {
  const { most = MOST_TICKS, format = formatTick } = options
  const step = niceStep(high > low ? high - low : Math.abs(high) || 1, most)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1)
  const at = between([first * step, last * step], places)
  const values = Array.from({ length: last - first + 1 }, (_, index) =>
    plain((first + index) * step),
  )
  return { at, ticks: values.map((value) => ({ value, at: at(value), text: format(value) })) }
}

/** Success in per cent, always from 0 to 100. */
export function percentScale(places: ScaleEnds): AxisScale {
  const at = between([0, 100], places)
  const ticks = [0, 25, 50, 75, 100].map((value) => ({
    value,
    at: at(value),
    text: value === 100 ? '100 %' : String(value),
  }))
  return { at: (value) => at(Math.min(Math.max(value, 0), 100)), ticks }
}

/** A little room beside the least and the greatest value of a log scale. */
const LOG_ROOM = 1.25

/** A log scale with 1-2-5 ticks, decades alone where those are many. Values of 0 or less are at its beginning. */
export function logScale(
  values: readonly number[],
  places: ScaleEnds,
  options: ScaleOptions = {},
): AxisScale {
  const { most = MOST_TICKS, format = formatTick } = options
  const known = values.filter((value) => value > 0)
  const low = (known.length > 0 ? Math.min(...known) : 1) / LOG_ROOM
  const high = Math.max(...known, low * 2) * LOG_ROOM
  const place = between([Math.log10(low), Math.log10(high)], places)
  const at = (value: number) => place(Math.log10(Math.min(Math.max(value, low), high)))
  const inside = logTicks(low, high, most)
  return { at, ticks: inside.map((value) => ({ value, at: at(value), text: format(value) })) }
}

function logTicks(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const decades = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const isInside = (value: number) => value >= low && value <= high
  const all = decades.flatMap((power) => [1, 2, 5].map((step) => plain(step * 10 ** power)))
  const fine = all.filter(isInside)
  // One label alone does not say how wide the axis is.
  if (fine.length < 2) return evenTicks(low, high, most)
  if (fine.length <= most) return fine
  const tens = decades.map((power) => plain(10 ** power)).filter(isInside)
  // Two labels at least: one alone does not say how wide a decade is.
  if (tens.length < 2) return [fine[0] ?? low, fine.at(-1) ?? high]
  const every = Math.ceil(tens.length / most)
  return tens.filter((_, index) => index % every === 0)
}

/** Multiples of one round step, as an axis of less than a decade has them: two at least. */
function evenTicks(low: number, high: number, most: number): number[] {
  const [ticks = []] = [most, 2 * most]
    .map((parts) => multiples(niceStep(high - low, parts), low, high))
    .filter(({ length }) => length > 1)
  return ticks
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => plain((first + index) * step))
}

/** Whole days between two instants, at midnight UTC; the two instants themselves where they are less than a day apart. */
export function dayScale(
  [first, last]: ScaleEnds,
  places: ScaleEnds,
  most = MOST_TICKS,
): AxisScale {
  const format = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const [from, to] = places
  const middle = (from + to) / 2
  if (last - first < DAY_MS) {
    const minute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}`
    // Two places that read the same would show a time between them that nothing says.
    if (minute(last) === minute(first))
      return { at: () => middle, ticks: [{ value: first, at: middle, text: format(first) }] }
    const ends = [first, last].map((value) => ({ value, text: minute(value) }))
    const inside = between([first, last], places)
    return { at: inside, ticks: ends.map((end) => ({ ...end, at: inside(end.value) })) }
  }
  const at = between([first, last], places)
  const step = Math.max(1, niceStep((last - first) / DAY_MS, most)) * DAY_MS
  const start = Math.ceil(first / DAY_MS) * DAY_MS
  const count = Math.floor((last - start) / step) + 1
  const days = Array.from({ length: count }, (_, index) => start + index * step)
  return { at, ticks: days.map((value) => ({ value, at: at(value), text: format(value) })) }
}

function between([low, high]: ScaleEnds, [from, to]: ScaleEnds): (value: number) => number {
  return (value) => from + ((value - low) / (high - low)) * (to - from)
}

/** Without the noise of binary fractions: 0.30000000000000004 → 0.3. */
function plain(value: number): number {
  return Number(value.toPrecision(12))
}

/** 1500 → `1.5k`, 0.05 → `0.05`. */
export function formatTick(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6) return `${plain(value / 1e6)}M`
  return size >= 1000 ? `${plain(value / 1000)}k` : String(plain(value))
}
