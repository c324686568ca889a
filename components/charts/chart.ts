import type { EntryStyle } from '#lib/domain/board/index.ts'

/** Format of the values of an axis; `side`: 0 is without a fault, 1 with one. */
export type AxisFormat = 'percent' | 'number' | 'count' | 'day' | 'side'

/** One axis of a chart. */
export type Axis = {
  title: string
  format: AxisFormat
  /** Values of 0 are at the left edge of a log axis. */
  scale: 'linear' | 'log'
  /** The reader can switch between both scales. */
  hasScales?: boolean
}

/** A row of a chart that has a name instead of a value on its vertical axis. */
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
  /** Not drawn until the reader asks for it. */
  isHidden?: boolean
}

/** A point, or the end of a bar, in the units of the axes. `y` is the index of a row where rows have names. */
export type ChartPoint = {
  id: string
  /** Index of its series. */
  series: number
  name: string
  /** Value, interval and n, as the tooltip and a screen reader say them. */
  text: string
  x: number
  y: number
  xLow?: number | null | undefined
  /** Null = without an upper bound. */
  xHigh?: number | null | undefined
  yLow?: number | null | undefined
  yHigh?: number | null | undefined
  /** True for a ranked result; others are hollow. */
  isSolid: boolean
  /** Start of a bar that ends at `x`. */
  from?: number
  /** The page of what it shows. */
  href?: string | undefined
  /** The row of a board's table that it belongs to. */
  rowId?: string | undefined
  /** Beside the point, if there is room. */
  label?: string
  /** Named before the others. */
  isFirst?: boolean
  /** Drawn faint, to show where the others stand. */
  isContext?: boolean
}

/** A drawing as data: a page sends it to the browser, a test reads it. */
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
  /** Steps along the best points, and the region that is worse in both. */
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

/** Room for the axes around the rows of a chart, in pixels. */
const ROWS_FRAME = 46

/** The height of a chart of rows: on a phone, each name is above its line. */
export function heightOfRows(rows: number): Chart['height'] {
  return { wide: rows * 27 + ROWS_FRAME, narrow: rows * 42 + ROWS_FRAME }
}

/** The points that no other beats in both axes, cheapest first: the Pareto frontier of the ranked results. */
export function frontier<P extends Pick<ChartPoint, 'x' | 'y'>>(points: readonly P[]): P[] {
  const byCost = [...points].sort((a, b) => a.x - b.x || b.y - a.y)
  let best = Number.NEGATIVE_INFINITY
  return byCost.filter(({ y }) => {
    const isBetter = y > best
    best = Math.max(best, y)
    return isBetter
  })
}

/** Returns true if a part of both axes can be enlarged. */
export function canZoom({ rows, x }: Chart): boolean {
  return rows === undefined && x.format !== 'side' && x.format !== 'count'
}
