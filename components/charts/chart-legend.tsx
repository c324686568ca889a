import type { Ref } from 'react'
import type { Chart, Series } from './chart.ts'
import { dashOf, Marker, toneOf } from './marker.tsx'

type ChartLegendProps = {
  chart: Chart
  hidden: ReadonlySet<number>
  frame?: Ref<HTMLDivElement>
  /** Null = pointer and focus left the legend. */
  onFocus: (series: number | null) => void
  onHide: (hidden: ReadonlySet<number>) => void
  /** Called before the button that shows all series disappears. */
  onShowAll?: () => void
}

/** The series of a chart: hover or focus highlights one, a click hides or shows it, and a double click or Shift-click shows it alone. */
export function ChartLegend(props: ChartLegendProps) {
  const { chart, hidden, frame, onFocus, onHide, onShowAll } = props
  const { series, points, join } = chart
  const choose = (index: number, showsAlone: boolean) => {
    const others = series.flatMap((_, other) => (other === index ? [] : other))
    const isAlone = !hidden.has(index) && others.every((other) => hidden.has(other))
    if (showsAlone) return onHide(new Set(isAlone ? [] : others))
    const next = new Set(hidden)
    if (!next.delete(index)) next.add(index)
    onHide(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls.
    <div
      aria-label="Legend. A double click, or Shift and click, shows one alone."
      className="scripted relative mb-2 flex max-h-32 flex-wrap gap-x-1 overflow-y-auto"
      onBlur={() => onFocus(null)}
      onPointerLeave={() => onFocus(null)}
      ref={frame}
      role="group"
    >
      {series.map((one, index) => (
        <button
          aria-pressed={!hidden.has(index)}
          className="untrusted inline-flex max-w-72 touch-manipulation items-center gap-x-1.5 rounded px-1.5 py-1 text-left text-xs hover:bg-sunken aria-[pressed=false]:text-muted aria-[pressed=false]:line-through"
          key={one.id}
          onClick={({ shiftKey }) => choose(index, shiftKey)}
          onDoubleClick={({ shiftKey }) => (shiftKey ? undefined : choose(index, true))}
          onFocus={() => onFocus(index)}
          onPointerEnter={() => onFocus(index)}
          type="button"
        >
          <Swatch
            isLine={join !== undefined}
            isSolid={points.some((point) => point.series === index && point.isSolid)}
            series={one}
          />
          <span className="truncate" title={one.name}>
            {one.name}
          </span>
        </button>
      ))}
      {hidden.size > 0 ? (
        <button
          className="link px-1.5 py-1 text-xs"
          onClick={() => {
            onShowAll?.()
            onHide(new Set())
          }}
          type="button"
        >
          Show all
        </button>
      ) : null}
    </div>
  )
}

type SwatchProps = { series: Series; isSolid: boolean; isLine: boolean }

function Swatch({ series, isSolid, isLine }: SwatchProps) {
  const tone = toneOf(series, { isSolid })
  if (series.shade !== undefined)
    return (
      <svg aria-hidden="true" className="size-3 shrink-0" viewBox="0 0 12 12">
        <rect fill={tone} fillOpacity={series.shade} height="12" width="12" />
      </svg>
    )
  return (
    <svg aria-hidden="true" className="h-3 w-5 shrink-0" viewBox="0 0 20 12">
      {isLine ? (
        <path d="M0 6H20" stroke={tone} strokeDasharray={dashOf(series)} strokeWidth="2.5" />
      ) : (
        <Marker isSolid={isSolid} pattern={series.style.pattern} tone={tone} x={10} y={6} />
      )}
    </svg>
  )
}
