'use client'

import dynamic from 'next/dynamic'
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '../ui/button.tsx'
import { type Chart, canZoom } from './chart.ts'
import { ChartLegend } from './chart-legend.tsx'
import { chartDomains, type Zoom, zoomedIn } from './chart-scale.ts'
import type { Card } from './save-chart.ts'

/** Recharts is loaded only when a chart is about to be visible. */
const ChartDrawing = dynamic(
  () =>
    import('./chart-drawing.tsx').then(
      (loaded) => loaded.ChartDrawing,
      () => ChartFailed,
    ),
  {
    ssr: false,
    loading: () => <p className="p-6 text-muted">Loading chart…</p>,
  },
)

/** Shown when the script of charts cannot be loaded: without a connection, or from a server with a new version. */
function ChartFailed() {
  return (
    <p className="flex flex-wrap items-center gap-3 py-4 text-muted">
      The chart could not be loaded.
      <Button onClick={() => window.location.reload()}>Reload the page</Button>
    </p>
  )
}

export type LiveChartProps = {
  /** The chart as JSON: React takes ten times as long to send its points as objects. */
  packed: string
  /** Texts and file name for saving an image; absent = it cannot be saved. */
  picture?: { card: Card; name: string }
  /** Links to the chart's files. */
  children?: ReactNode
}

/** A chart with its legend and controls, in a box with its final size from the beginning. */
export function LiveChart({ packed, picture, children }: LiveChartProps) {
  const given = useMemo(() => JSON.parse(packed) as Chart, [packed])
  const box = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useNear(box)
  // The ids of series, because their positions change when the page shows other series.
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set())
  const hidden = useMemo(() => hiddenOf(given, switched), [given, switched])
  const [focused, setFocused] = useState<number | null>(null)
  const [isLog, setLog] = useState(given.x.scale === 'log')
  const [zoom, setZoom] = useState<Zoom | null>(null)
  const chart = useMemo<Chart>(
    () => ({ ...given, x: { ...given.x, scale: isLog ? 'log' : 'linear' } }),
    [given, isLog],
  )
  // Buttons that disappear when pressed hand the focus to the chart.
  const focusChart = () =>
    box.current?.querySelector<HTMLElement>('[data-chart]')?.focus({ preventScroll: true })
  const switchScale = () => {
    setLog(!isLog)
    setZoom(null)
  }
  const resetZoom = () => {
    focusChart()
    setZoom(null)
  }
  return (
    <>
      {chart.hasNoLegend || chart.series.length < 2 ? null : (
        <ChartLegend
          chart={chart}
          frame={legend}
          hidden={hidden}
          onFocus={setFocused}
          onHide={(next) => setSwitched(switchedFrom(given, next))}
          onShowAll={focusChart}
        />
      )}
      <div className="scripted @container">
        <div
          className="relative h-(--wide) print:break-inside-avoid @max-[520px]:h-(--narrow)"
          data-drawn={isNear}
          ref={box}
          style={boxStyle(chart)}
        >
          {isNear ? (
            <ChartDrawing
              chart={chart}
              focused={focused}
              hidden={hidden}
              onZoom={setZoom}
              zoom={zoom}
            />
          ) : null}
        </div>
      </div>
      <p className="on-screen mt-1 flex min-h-5 flex-wrap gap-x-4 text-muted">
        {given.x.hasScales ? (
          <ToolButton isPressed={isLog} onClick={switchScale}>
            Log scale
          </ToolButton>
        ) : null}
        {canZoom(chart) ? (
          <ToolButton onClick={() => setZoom(zoomedIn(zoom ?? chartDomains(chart), chart))}>
            Zoom in
          </ToolButton>
        ) : null}
        {zoom ? <ToolButton onClick={resetZoom}>Reset zoom</ToolButton> : null}
        {picture ? (
          <SavePicture {...picture} box={box} legend={legend} onWanted={() => setNear(true)} />
        ) : null}
        {children}
      </p>
    </>
  )
}

/** Heights of the wide and of the narrow chart; CSS selects one before the chart is drawn. */
function boxStyle({ height: { wide, narrow } }: Chart): CSSProperties {
  const sizes: Record<`--${string}`, string> = { '--wide': `${wide}px`, '--narrow': `${narrow}px` }
  return sizes
}

/** Distance from the viewport, in pixels, at which a chart is loaded. */
const NEAR = 50

function useNear(box: RefObject<HTMLElement | null>) {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!box.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: `${NEAR}px` },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return [isNear, setNear] as const
}

/** Indexes of the hidden series; `switched` = ids of those that the reader switched. */
function hiddenOf({ series }: Chart, switched: ReadonlySet<string>): ReadonlySet<number> {
  return new Set(
    series.flatMap(({ id, isHidden = false }, index) =>
      isHidden === switched.has(id) ? [] : index,
    ),
  )
}

function switchedFrom({ series }: Chart, hidden: ReadonlySet<number>): ReadonlySet<string> {
  return new Set(
    series.flatMap(({ id, isHidden = false }, index) => (isHidden === hidden.has(index) ? [] : id)),
  )
}

type ToolButtonProps = { isPressed?: boolean; onClick: () => void; children: ReactNode }

function ToolButton({ isPressed, onClick, children }: ToolButtonProps) {
  return (
    <button aria-pressed={isPressed} className="scripted link" onClick={onClick} type="button">
      {isPressed === undefined ? null : isPressed ? '✓ ' : ''}
      {children}
    </button>
  )
}

type SavePictureProps = {
  card: Card
  name: string
  box: RefObject<HTMLElement | null>
  legend: RefObject<HTMLElement | null>
  /** Loads the chart. */
  onWanted: () => void
}

function SavePicture({ card, name, box, legend, onWanted }: SavePictureProps) {
  const [failed, setFailed] = useState<string | null>(null)
  const save = async (type: 'png' | 'svg') => {
    onWanted()
    const { saveChart } = await import('./save-chart.ts')
    const shown = box.current && { box: box.current, legend: legend.current }
    const isSaved = shown !== null && (await saveChart(shown, card, `${name}.${type}`))
    setFailed(isSaved ? null : type)
  }
  return (['png', 'svg'] as const).map((type) => (
    <ToolButton key={type} onClick={() => void save(type)}>
      {type.toUpperCase()}
      <span aria-live="polite">{failed === type ? ' failed. Try again.' : ''}</span>
    </ToolButton>
  ))
}
