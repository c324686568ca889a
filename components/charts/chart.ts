import type { EntryStyle } from '#lib/domain/board/index.ts'

/** Format of the values of an axis; `side`: 0 is without a fault, 1 with one. */
export type AxisFormat = 'percent' | 'number' | 'count' | 'day' | 'side'

/** One axis of a chart. */
export type Axis = {
  title: string
  format: AxisFormat
  /** A log axis shows values of 0 at its left edge. */
  scale: 'linear' | 'log'
  /** True = users can switch between both scales. */
  hasScales?: boolean
}

/** A row with a name instead of a value on the vertical axis. */
export type ChartRow = { name: string; isHeading?: boolean }

/** One line of the legend: an entry, a kind of failure, a phase. */
export type Series = {
  id: string
  name: string
  style: EntryStyle
  /** A colour of the theme, for series that are not entries. */
  tone?: string
  /** Opacity of its bars, 0–1. */
  shade?: number
  /** True = hidden until it is selected in the legend. */
  isHidden?: boolean
}

/** A point, or the end of a bar, in the units of the axes. `y` is the index of a row where rows have names. */
export type ChartPoint = {
  id: string
  /** Index of its series. */
  series: number
  name: string
  /** Value, interval and n, for the tooltip and screen readers. */
  text: string
  x: number
  y: number
  xLow?: number | null | undefined
  /** Upper bound; null = none. */
  xHigh?: number | null | undefined
  yLow?: number | null | undefined
  yHigh?: number | null | undefined
  /** True for a ranked result; others are hollow. */
  isSolid: boolean
  /** Start of a bar that ends at `x`. */
  from?: number
  /** Link of the point. */
  href?: string | undefined
  /** The row of a board's table that it belongs to. */
  rowId?: string | undefined
  /** Shown next to the point, if it fits. */
  label?: string
  /** Labelled before the others. */
  isFirst?: boolean
  /** Drawn faint, as context for the others. */
  isContext?: boolean
}

/** A chart as data, which is sent to the browser. */
export type Chart = {
  /** The description that a screen reader reads. */
  label: string
  x: Axis
  y: Axis
  rows?: readonly ChartRow[]
  series: readonly Series[]
  points: readonly ChartPoint[]
  /** The line through the points of a series; absent = none. */
  join?: 'line' | 'step'
  /** Bands between the lower and upper bounds of a series. */
  hasBands?: boolean
  /** True = shows the Pareto frontier, and the region that is worse in both. */
  hasFrontier?: boolean
  /** Omits the list of series. */
  hasNoLegend?: boolean
  /** Vertical lines. */
  marks?: readonly { x: number; text: string }[]
  /** In pixels, without the legend; `narrow` for charts below NARROW_WIDTH. */
  height: { wide: number; narrow: number }
}

/** Width in pixels below which a chart is laid out for a phone. */
export const NARROW_WIDTH = 520

/** Height for the axes of a chart with rows, in pixels. */
const ROWS_FRAME = 46

/** The height of a chart with rows: on a phone, names are above their marks. */
export function heightOfRows(rows: number): Chart['height'] {
  return { wide: rows * 27 + ROWS_FRAME, narrow: rows * 42 + ROWS_FRAME }
}

/** The Pareto frontier of the ranked results: points that no other beats in both axes, cheapest first. */
export function frontier<P extends Pick<ChartPoint, 'x' | 'y'>>(points: readonly P[]): P[] {
  const byCost = [...points].sort((a, b) => a.x - b.x || b.y - a.y)
  let best = Number.NEGATIVE_INFINITY
  return byCost.filter(({ y }) => {
    const isBetter = y > best
    best = Math.max(best, y)
    return isBetter
  })
}

/** Returns true if both axes can be zoomed. */
export function canZoom({ rows, x }: Chart): boolean {
  return rows === undefined && x.format !== 'side' && x.format !== 'count'
}
