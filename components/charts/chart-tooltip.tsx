import type { CostPoint, RangePoint } from './chart-points.ts'

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
