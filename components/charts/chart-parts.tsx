import { type RefObject, useEffect, useState } from 'react'
import type { CostPoint, RangePoint } from './chart-points.ts'

type ChartMarkProps = {
  cx?: number | undefined
  cy?: number | undefined
  payload?: { claim?: boolean } | undefined
}

/** Filled for a ranked result, hollow otherwise. */
export function ChartMark({ cx, cy, payload }: ChartMarkProps) {
  if (cx === undefined || cy === undefined) return null
  const colour = payload?.claim ? 'var(--accent)' : 'var(--muted)'
  return (
    <circle
      cx={cx}
      cy={cy}
      fill={payload?.claim ? colour : 'var(--bg)'}
      r={4.5}
      stroke={colour}
      strokeWidth={2}
    />
  )
}

type ChartTooltipProps = {
  active?: boolean
  payload?: readonly { payload?: RangePoint | CostPoint }[]
  unit?: string
}

/** The values of the marker under the pointer. */
export function ChartTooltip({ active, payload, unit }: ChartTooltipProps) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <div className="rounded border border-line-strong bg-surface px-2.5 py-1.5">
      <p className="untrusted font-medium">{point.name}</p>
      <p className="text-muted">
        {'cost' in point ? costText(point, unit ?? 'USD') : rangeText(point, unit ?? '')}
      </p>
    </div>
  )
}

function rangeText({ value, whisker: [left, right] }: RangePoint, unit: string): string {
  return `${value.toFixed(1)} ${unit}, from ${(value - left).toFixed(1)} to ${(value + right).toFixed(1)} ${unit}`
}

function costText({ cost, success }: CostPoint, unit: string): string {
  return `${cost.toFixed(unit === 'USD' ? 3 : 1)} ${unit} per success, ${success.toFixed(1)} % solved`
}

/** Quiet axes: small text, no line but the grid. */
export const axisStyle = {
  axisLine: false,
  tickLine: false,
  tick: { fill: 'var(--muted)', fontSize: 12 },
} as const

/** True once the element has come into the window; what it needs is loaded no earlier. */
export function useWasVisible(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !element.current) return
    const observer = new IntersectionObserver((entries) =>
      setSeen(entries.some((entry) => entry.isIntersecting)),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [seen, element])
  return seen
}
