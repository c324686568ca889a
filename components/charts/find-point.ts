import type { Chart, ChartPoint } from './chart.ts'
import type { Scales } from './chart-layers.tsx'

type Positions = Pick<Scales, 'x' | 'y'>
type Place = readonly [left: number, top: number]
/** Distance in pixels from a position to a point; infinite = out of reach. */
type Distance = (
  points: readonly ChartPoint[],
  index: number,
  at: Positions,
  place: Place,
) => number

/** Radius in pixels in which a point reacts to the pointer. */
const REACH = 36
const BAR_REACH = 12
const FAR = Number.POSITIVE_INFINITY

/**
 * Returns the index of the point under the pointer: its bar, the nearest curve at this position, or the nearest point;
 * -1 = none.
 */
export function findPoint(
  { join, rows }: Pick<Chart, 'join' | 'rows'>,
  points: readonly ChartPoint[],
  at: Positions,
  place: Place,
): number {
  const rowDistance = points.some(({ from }) => from !== undefined) ? toBar : toRow
  const distance = rows ? rowDistance : join === 'step' ? toStep : toMark
  let [found, min] = [-1, REACH]
  points.forEach((_, index) => {
    const own = distance(points, index, at, place)
    if (own < min) [found, min] = [index, own]
  })
  return found
}

const toMark: Distance = (points, index, { x, y }, [left, top]) => {
  const point = points[index]
  return point ? Math.hypot(x(point.x) - left, y(point.y) - top) : FAR
}

const toRow: Distance = (points, index, { y }, [, top]) => {
  const point = points[index]
  return point ? Math.abs(y(point.y) - top) : FAR
}

const toBar: Distance = (points, index, { x, y }, [left, top]) => {
  const point = points[index]
  if (!point || left < x(point.from ?? point.x) || left > x(point.x)) return FAR
  return Math.abs(y(point.y) - top) <= BAR_REACH ? 0 : FAR
}

/** A step extends to the next one of its curve. */
const toStep: Distance = (points, index, { x, y }, [left, top]) => {
  const [point, next] = [points[index], points[index + 1]]
  if (!point || left < x(point.x)) return FAR
  if (next?.series === point.series && left >= x(next.x)) return FAR
  return Math.abs(y(point.y) - top)
}

/** Returns the point that an arrow key moves to, from -1 = none; null = not an arrow key. */
export function nextPoint(key: string, current: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(current + 1, count - 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(current - 1, 0)
  return null
}
