'use client'

import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Chart, type ChartPoint, canZoom, NARROW_WIDTH } from './chart.ts'
import type { Scales } from './chart-layers.tsx'
import { Plot } from './chart-plot.tsx'
import { atEdge, chartDomains, type Domain, isInside } from './chart-scale.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { findPoint, nextPoint } from './find-point.ts'

type ChartDrawingProps = {
  chart: Chart
  /** Indices of series that are not drawn. */
  hidden: ReadonlySet<number>
  /** Index of the series that is focused in the legend; null = none. */
  focused: number | null
  zoom: Zoom | null
  onZoom: (zoom: Zoom | null) => void
}

/** The visible part of a chart. */
export type Zoom = { x: Domain; y: Domain }

type Active = { index: number; left: number; top: number }
type Drag = { from: readonly [number, number]; to: readonly [number, number] }

/** An interactive chart, for pointer, touch and arrow keys. */
export function ChartDrawing(props: ChartDrawingProps) {
  const { hidden, focused, zoom, onZoom } = props
  const frame = useRef<HTMLDivElement>(null)
  const scales = useRef<Scales | null>(null)
  const width = useWidth(frame)
  const isNarrow = width < NARROW_WIDTH
  const chart = useMemo(() => laidOut(props.chart, isNarrow), [props.chart, isNarrow])
  const domains = useMemo(() => zoom ?? chartDomains(props.chart), [props.chart, zoom])
  const points = useMemo(() => walkable(chart, hidden, domains), [chart, hidden, domains])
  const measure = useMemo(createMeasure, [])
  const namesWidth = useMemo(() => widthOfNames(chart, width, measure), [chart, width, measure])
  const [active, setActive] = useState<Active | null>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const keepScales = useCallback((next: Scales) => {
    scales.current = next
  }, [])
  const point = active ? points[active.index] : undefined
  const litRow = useTableRows(point?.rowId ?? null)
  const lit = focused ?? litSeries(chart, point, litRow)
  const activate = (index: number) => {
    const [at, found] = [scales.current, points[index]]
    if (!at || !found) return setActive(null)
    setActive({ index, left: at.x(found.x), top: at.y(found.y) })
  }
  const pointer = usePointer({ frame, scales, chart, points, drag, setDrag, activate, onZoom })
  const press = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, active?.index ?? -1, points.length)
    if (next !== null) activate(next)
    else if (event.key === 'Enter' && point) openPoint(point)
    else if (event.key === 'Escape') {
      setActive(null)
      onZoom(null)
    } else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls.
    <div
      aria-label={`${chart.label} Arrow keys walk the points, Enter opens one.`}
      aria-roledescription="chart"
      className="relative size-full touch-pan-y select-none outline-offset-2"
      data-chart
      onBlur={() => setActive(null)}
      onKeyDown={press}
      ref={frame}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk its points.
      tabIndex={0}
      {...pointer}
      onPointerLeave={() => setActive(null)}
    >
      {width > 0 ? (
        <Plot
          chart={chart}
          domains={domains}
          hidden={hidden}
          isNarrow={isNarrow}
          isZoomed={zoom !== null}
          lit={lit}
          measure={measure}
          namesWidth={namesWidth}
          onScales={keepScales}
          width={width}
        />
      ) : null}
      {drag ? <Selection drag={drag} /> : null}
      {active && point && !drag ? (
        <ChartTooltip {...active} hasLine={chart.join === 'step'} point={point} width={width} />
      ) : null}
      <p aria-live="polite" className="sr-only">
        {point ? `${point.name}: ${point.text}` : ''}
      </p>
    </div>
  )
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  return width
}

/** On a phone, marks are below the names of their rows. */
function laidOut(given: Chart, isNarrow: boolean): Chart {
  const chart = atEdge(given, chartDomains(given))
  if (!chart.rows || !isNarrow) return chart
  return { ...chart, points: chart.points.map((point) => ({ ...point, y: point.y + ROW_SHIFT })) }
}

const ROW_SHIFT = 0.2

/** The visible points in order, for arrow keys. */
function walkable(chart: Chart, hidden: ReadonlySet<number>, { x, y }: Zoom): ChartPoint[] {
  return chart.points.filter(
    (point) => !hidden.has(point.series) && isInside(point.x, x) && isInside(point.y, y),
  )
}

/** Measures texts in the font of the chart. */
function createMeasure(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `11px ${getComputedStyle(document.body).fontFamily}`
  return (text) => context?.measureText(text).width ?? text.length * 6
}

const MAX_NAMES_SHARE = 0.38

function widthOfNames(
  { rows = [] }: Chart,
  width: number,
  measure: (text: string) => number,
): number {
  if (width < NARROW_WIDTH) return 4
  const names = rows.flatMap(({ name, isHeading }) => (isHeading ? [] : measure(name)))
  return Math.min(Math.max(0, ...names) + 14, width * MAX_NAMES_SHARE)
}

/** The highlighted series: of the curve under the pointer, or of the row in the table. */
function litSeries(
  { join, points }: Chart,
  active: ChartPoint | undefined,
  litRow: string | null,
): number | null {
  if (join && active) return active.series
  return points.find(({ rowId }) => rowId !== undefined && rowId === litRow)?.series ?? null
}

type PointerOptions = {
  frame: RefObject<HTMLDivElement | null>
  scales: RefObject<Scales | null>
  chart: Chart
  points: readonly ChartPoint[]
  drag: Drag | null
  setDrag: (drag: Drag | null) => void
  activate: (index: number) => void
  onZoom: (zoom: Zoom) => void
}

/** Shorter movements count as a click. */
const MIN_DRAG = 8

/** Moving shows the nearest point, a click opens it, and dragging with the mouse zooms. */
function usePointer(options: PointerOptions) {
  const { frame, scales, chart, points, drag, setDrag, activate, onZoom } = options
  const placeOf = (event: PointerEvent): readonly [number, number] => {
    const box = frame.current?.getBoundingClientRect()
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)]
  }
  const find = (event: PointerEvent) =>
    scales.current ? findPoint(chart, points, scales.current, placeOf(event)) : -1
  return {
    onPointerDown: (event: PointerEvent) => {
      const place = placeOf(event)
      activate(find(event))
      if (canZoom(chart) && event.pointerType === 'mouse' && event.button === 0)
        setDrag({ from: place, to: place })
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag) setDrag({ ...drag, to: placeOf(event) })
      else activate(find(event))
    },
    onPointerUp: (event: PointerEvent) => {
      const at = scales.current
      if (drag && at && isLarge(drag))
        onZoom(toZoom(drag, at, chart.join !== undefined || chart.x.format === 'day'))
      else if (event.pointerType === 'mouse' && event.button === 0) {
        const found = points[find(event)]
        if (found) openPoint(found)
      }
      setDrag(null)
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
function openPoint({ rowId, href, from }: ChartPoint): void {
  const row =
    rowId === undefined || from !== undefined
      ? null
      : document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(rowId)}"]`)
  if (row) {
    row.scrollIntoView({ block: 'center' })
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  } else if (href !== undefined) window.location.assign(href)
}

function Selection({ drag: { from, to } }: { drag: Drag }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute border border-accent bg-accent/10"
      style={{
        left: Math.min(from[0], to[0]),
        top: Math.min(from[1], to[1]),
        width: Math.abs(from[0] - to[0]),
        height: Math.abs(from[1] - to[1]),
      }}
    />
  )
}

/** Marks the rows of a table that belong to `active`, and returns the id of the row under the pointer; null = none. */
function useTableRows(active: string | null): string | null {
  const [hovered, setHovered] = useState<string | null>(null)
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
      setHovered(row?.dataset.row ?? null)
    }
    document.addEventListener('pointerover', follow)
    document.addEventListener('focusin', follow)
    return () => {
      document.removeEventListener('pointerover', follow)
      document.removeEventListener('focusin', follow)
    }
  }, [])
  useEffect(() => {
    if (active === null) return
    const rows = document.querySelectorAll<HTMLElement>(`tr[data-row="${CSS.escape(active)}"]`)
    for (const row of rows) row.dataset.lit = ''
    return () => {
      for (const row of rows) delete row.dataset.lit
    }
  }, [active])
  return hovered
}
