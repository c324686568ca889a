import { type PointerEvent, type RefObject, useRef } from 'react'
import { type Chart, type ChartPoint, canZoom } from './chart.ts'
import type { Scales } from './chart-layers.tsx'
import type { Domain, Zoom } from './chart-scale.ts'
import { findPoint } from './find-point.ts'

/** The region that is being selected, in pixels. */
export type Drag = { from: readonly [number, number]; to: readonly [number, number] }

type Drawn = {
  frame: RefObject<HTMLDivElement | null>
  scales: RefObject<Scales | null>
  chart: Chart
  points: readonly ChartPoint[]
  /** Index of the point with the tooltip; -1 = none. */
  active: number
}

type Effects = {
  drag: Drag | null
  setDrag: (drag: Drag | null) => void
  activate: (index: number) => void
  onZoom: (zoom: Zoom) => void
}

/** Shorter movements count as a click. */
const MIN_DRAG = 8

/**
 * Moving or a tap shows the nearest point, a click or a second tap opens it, and dragging with the mouse zooms.
 */
export function usePointer(
  { frame, scales, chart, points, active }: Drawn,
  { drag, setDrag, activate, onZoom }: Effects,
) {
  /** Index of the point that the press opens when it ends; -1 = none. */
  const pressed = useRef(-1)
  const placeOf = (event: PointerEvent): readonly [number, number] => {
    const box = frame.current?.getBoundingClientRect()
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]
  }
  const find = (event: PointerEvent) =>
    scales.current ? findPoint(chart, points, scales.current, placeOf(event)) : -1
  return {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event)
      const found = find(event)
      pressed.current = event.pointerType === 'touch' && found !== active ? -1 : found
      activate(found)
      if (!canZoom(chart) || event.pointerType !== 'mouse' || event.button !== 0) return
      // Also receives the end of a drag outside of the chart.
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ from: place, to: place })
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag) setDrag({ ...drag, to: placeOf(event) })
      else activate(find(event))
    },
    onPointerUp: () => {
      const at = scales.current
      if (drag && at && isLarge(drag)) {
        pressed.current = -1
        onZoom(toZoom(drag, at, chart.join !== undefined || chart.x.format === 'day'))
      }
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
    // A tap leaves the chart too, and its tooltip stays.
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') activate(-1)
    },
    // Not before: the browser moves the focus after a tap.
    onClick: () => {
      const point = points[pressed.current]
      if (point) openPoint(point)
    },
  }
}

const isLarge = ({ from, to }: Drag) => Math.abs(from[0] - to[0]) > MIN_DRAG

/** The dragged region in units of the axes; for curves, over the whole height. */
function toZoom({ from, to }: Drag, { invert, plot }: Scales, isWhole: boolean): Zoom {
  const inside = ([left, top]: Drag['from']) =>
    invert(
      Math.min(Math.max(left, plot.left), plot.right),
      Math.min(Math.max(top, plot.top), plot.bottom),
    )
  const [a, b] = [inside(from), inside(to)]
  const [top, bottom] = [invert(plot.left, plot.top), invert(plot.left, plot.bottom)]
  const between = (p: number, q: number): Domain => [Math.min(p, q), Math.max(p, q)]
  const isFlat = isWhole || Math.abs(from[1] - to[1]) <= MIN_DRAG
  return { x: between(a.x, b.x), y: isFlat ? [bottom.y, top.y] : between(a.y, b.y) }
}

/** Scrolls to the row of a point in this page's table, or opens the page of the point. */
export function openPoint({ rowId, href, from }: ChartPoint): void {
  const row =
    rowId === undefined || from !== undefined
      ? null
      : document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(rowId)}"]`)
  if (row) {
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  } else if (href !== undefined) window.location.assign(href)
}
