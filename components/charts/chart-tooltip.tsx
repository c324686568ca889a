import type { ChartPoint } from './chart.ts'

type ChartTooltipProps = {
  point: ChartPoint
  left: number
  top: number
  /** Width of the chart, in pixels. */
  width: number
  /** True = with a vertical line through the point. */
  hasLine: boolean
}

const MAX_WIDTH = 260
const GAP = 14

/** Value, interval and n next to a point; the live region of the chart contains the same text. */
export function ChartTooltip({ point, left, top, width, hasLine }: ChartTooltipProps) {
  const room = Math.min(MAX_WIDTH, width - 2 * GAP)
  const isLeft = left + GAP + room > width
  const start = isLeft ? Math.max(0, left - GAP - room) : left + GAP
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 print:hidden">
      {hasLine ? (
        <div
          className="absolute inset-y-6 border-line-strong border-l border-dashed"
          style={{ left }}
        />
      ) : null}
      <div
        className="absolute size-4 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-accent"
        style={{ left, top }}
      />
      <div
        className="absolute z-10 flex"
        style={{
          left: start,
          width: room,
          top: Math.max(0, top - GAP),
          justifyContent: isLeft ? 'flex-end' : 'flex-start',
        }}
      >
        <div
          className="untrusted rounded border border-line-strong bg-surface px-2 py-1 text-xs shadow-sm"
          data-tooltip
        >
          <div className="line-clamp-3 font-semibold">{point.name}</div>
          <div>{point.text}</div>
        </div>
      </div>
    </div>
  )
}
