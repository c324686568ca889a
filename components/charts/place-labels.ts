import type { Measure } from './names.ts'

/**
 * A point with its name, in the chart's units; empty = no name. `isFirst` = placed before all others, at a distance if
 * necessary.
 */
type NamedPoint = { id: string; name: string; x: number; y: number; isFirst?: boolean }
export type Box = { left: number; top: number; right: number; bottom: number }
type Side = { dx: number; dy: number; anchor: 'start' | 'end' | 'middle' }
export type PlacedLabel = {
  id: string
  name: string
  x: number
  y: number
  anchor: Side['anchor']
  /** Line to the point, if the name is not next to it. */
  leader?: readonly [number, number, number, number]
}

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

/** Positions at a distance from the point, with a line to it, nearest first. */
const FAR_SIDES: readonly Side[] = [28, -24, 44, 60, -40, 76, 92].flatMap((dy) => [
  { dx: 14, dy, anchor: 'start' as const },
  { dx: -14, dy, anchor: 'end' as const },
  { dx: 0, dy, anchor: 'middle' as const },
])

/**
 * Places a name for each point if it fits: it covers no other name, point or frame, and is not nearer to another point.
 * It avoids `lines` if there is another position; names that do not fit are omitted. Names marked `isFirst` are placed
 * first, otherwise earlier points; at a distance they may cover points without a name.
 */
export function placeLabels(
  points: readonly NamedPoint[],
  frame: Box,
  lines: readonly Box[],
  measure: Measure,
): PlacedLabel[] {
  const named = points.filter(({ name }) => name !== '')
  const silent = points.filter(({ name }) => name === '').map(markBox)
  const taken = named.map(markBox)
  const isFree = (box: Box, avoided: readonly Box[]) =>
    isInside(box, frame) && ![...taken, ...avoided].some((other) => overlaps(box, other))
  const place = (point: NamedPoint, avoided: readonly Box[]): PlacedLabel | null => {
    const placed = SIDES.map((side) => ({ side, box: labelBox(point, side, measure) }))
    const found = placed.find(
      ({ box }) => isFree(box, [...silent, ...avoided]) && isOwn(box, point, points),
    )
    if (!found) return null
    taken.push(found.box)
    return labelAt(point, found.side)
  }
  const placeAfar = (point: NamedPoint): PlacedLabel | null => {
    const placed = FAR_SIDES.map((side) => ({ side, box: labelBox(point, side, measure) }))
    const found = point.isFirst ? placed.find(({ box }) => isFree(box, [])) : undefined
    if (!found) return null
    taken.push(found.box)
    return { ...labelAt(point, found.side), leader: leaderTo(point, found.box) }
  }
  const placeAll = (some: readonly NamedPoint[]) => {
    const clear = some.map((point) => place(point, lines))
    const near = some.map((point, index) => clear[index] ?? place(point, []))
    return some.flatMap((point, index) => near[index] ?? placeAfar(point) ?? [])
  }
  return [true, false].flatMap((isFirst) =>
    placeAll(named.filter((point) => (point.isFirst ?? false) === isFirst)),
  )
}

function labelAt({ id, name, x, y }: NamedPoint, { dx, dy, anchor }: Side): PlacedLabel {
  return { id, name, x: x + dx, y: y + dy, anchor }
}

/** Line from the point to the nearest position on the name's upper or lower edge. */
function leaderTo({ x, y }: NamedPoint, box: Box): NonNullable<PlacedLabel['leader']> {
  const to = Math.min(Math.max(x, box.left + 4), box.right - 4)
  return [x, y, to, y < box.top ? box.top : box.bottom]
}

/** Points closer than this look like one mark, which may have several names. */
const SAME = 3

/** True if no other point is as close to the name as its own. */
function isOwn(box: Box, own: NamedPoint, points: readonly NamedPoint[]): boolean {
  const near = distance(box, own) + 1
  return points.every(
    (other) => distance(box, other) > near || Math.hypot(other.x - own.x, other.y - own.y) <= SAME,
  )
}

function distance({ left, right, top, bottom }: Box, { x, y }: Pick<NamedPoint, 'x' | 'y'>) {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
}

function markBox({ x, y }: NamedPoint): Box {
  return { left: x - RADIUS, right: x + RADIUS, top: y - RADIUS, bottom: y + RADIUS }
}

function labelBox({ x, y, name }: NamedPoint, { dx, dy, anchor }: Side, measure: Measure): Box {
  const width = measure(name)
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
