import { lettersOf } from './drawing.ts'

/** A point of a chart with its name, in the chart's units. */
type NamedPoint = { id: string; name: string; x: number; y: number }
export type Box = { left: number; top: number; right: number; bottom: number }
type Side = { dx: number; dy: number; anchor: 'start' | 'end' | 'middle' }
export type PlacedLabel = {
  id: string
  name: string
  x: number
  y: number
  anchor: Side['anchor']
}

const CHAR = 6.4
const HEIGHT = 13
const RADIUS = 6

/** Possible positions of a name next to its point, best first. */
const SIDES: readonly Side[] = [
  { dx: 9, dy: 4, anchor: 'start' },
  { dx: -9, dy: 4, anchor: 'end' },
  { dx: 0, dy: -11, anchor: 'middle' },
  { dx: 0, dy: 19, anchor: 'middle' },
  { dx: 7, dy: -8, anchor: 'start' },
  { dx: -7, dy: -8, anchor: 'end' },
  { dx: 7, dy: 16, anchor: 'start' },
  { dx: -7, dy: 16, anchor: 'end' },
]

/**
 * A name for each point where there is room: no name covers another, a point, or the frame. Nor one of `lines`, unless
 * there is no other place; a name without any is left out. Earlier points are served first.
 */
export function placeLabels(
  points: readonly NamedPoint[],
  frame: Box,
  lines: readonly Box[] = [],
): PlacedLabel[] {
  const marks = points.map(({ x, y }) => ({
    left: x - RADIUS,
    right: x + RADIUS,
    top: y - RADIUS,
    bottom: y + RADIUS,
  }))
  const taken: Box[] = [...marks]
  const place = (point: NamedPoint, avoided: readonly Box[]): PlacedLabel | null => {
    const found = SIDES.map((side) => ({ side, box: labelBox(point, side) })).find(
      ({ box }) =>
        isInside(box, frame) && ![...taken, ...avoided].some((other) => overlaps(box, other)),
    )
    if (!found) return null
    taken.push(found.box)
    const { dx, dy, anchor } = found.side
    return { id: point.id, name: point.name, x: point.x + dx, y: point.y + dy, anchor }
  }
  const clear = points.map((point) => place(point, lines))
  return points.flatMap((point, index) => clear[index] ?? place(point, []) ?? [])
}

function labelBox({ x, y, name }: NamedPoint, { dx, dy, anchor }: Side): Box {
  const width = lettersOf(name) * CHAR
  const shift = { start: 0, middle: width / 2, end: width }[anchor]
  const left = x + dx - shift
  return { left, right: left + width, top: y + dy - HEIGHT + 3, bottom: y + dy + 3 }
}

function isInside(box: Box, frame: Box): boolean {
  const isWide = box.left >= frame.left && box.right <= frame.right
  return isWide && box.top >= frame.top && box.bottom <= frame.bottom
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
