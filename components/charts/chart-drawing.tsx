'use client'

import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Chart, type ChartPoint, NARROW_WIDTH } from './chart.ts'
import type { Scales } from './chart-layers.tsx'
import { Plot } from './chart-plot.tsx'
import { atEdge, chartDomains, isInside, type Zoom } from './chart-scale.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { nextPoint } from './find-point.ts'
import type { Measure } from './names.ts'
import { createMeasure } from './svg-parts.ts'
import { type Drag, openPoint, usePointer } from './use-pointer.ts'

type ChartDrawingProps = {
  chart: Chart
  /** Indices of series that are not drawn. */
  hidden: ReadonlySet<number>
  /** Index of the series that is focused in the legend; null = none. */
  focused: number | null
  zoom: Zoom | null
  onZoom: (zoom: Zoom | null) => void
}

type Active = { index: number; left: number; top: number }

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
  const measure = useMemo(measureInChart, [])
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
  const shown = active?.index ?? -1
  const plot = { frame, scales, chart, points, active: shown }
  const pointer = usePointer(plot, { drag, setDrag, activate, onZoom })
  const press = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, shown, points.length)
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
      className="relative size-full touch-pan-y select-none outline-offset-2 [&_svg_:focus]:outline-none"
      data-chart
      onBlur={() => setActive(null)}
      onKeyDown={press}
      ref={frame}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys walk its points.
      tabIndex={0}
      {...pointer}
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
function measureInChart(): Measure {
  return createMeasure(`11px ${getComputedStyle(document.body).fontFamily}`)
}

const MAX_NAMES_SHARE = 0.38

function widthOfNames({ rows = [] }: Chart, width: number, measure: Measure): number {
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
