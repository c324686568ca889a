'use client'

import {
  CartesianGrid,
  ErrorBar,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { axisStyle } from './axis-style.ts'
import { ChartMark } from './chart-mark.tsx'
import type { RangePoint } from './chart-points.ts'
import { ChartTooltip } from './chart-tooltip.tsx'

type RangeChartProps = { points: RangePoint[]; label: string; unit: string; most?: number }

/** One line a row: a mark and its whisker. */
export function RangeChart({ points, label, unit, most }: RangeChartProps) {
  const height = points.length * 26 + 48
  return (
    <div
      aria-label={`${label} The table above shows the same values.`}
      role="img"
      style={{ height }}
    >
      <ResponsiveContainer height="100%" width="100%">
        <ScatterChart accessibilityLayer={false} margin={{ top: 4, right: 24, bottom: 4, left: 0 }}>
          <CartesianGrid horizontal={false} stroke="var(--line)" />
          <XAxis
            {...axisStyle}
            dataKey="value"
            domain={[0, most ?? 'auto']}
            name="value"
            tickFormatter={(value: number) => `${value} ${unit}`}
            type="number"
          />
          <YAxis
            {...axisStyle}
            allowDuplicatedCategory={false}
            dataKey="id"
            interval={0}
            reversed
            tickFormatter={(id: string) => points.find((point) => point.id === id)?.name ?? ''}
            type="category"
            width={labelWidth(points)}
          />
          <Tooltip
            content={<ChartTooltip unit={unit} />}
            cursor={{ stroke: 'var(--line-strong)' }}
          />
          <Scatter data={points} isAnimationActive={false} shape={ChartMark}>
            <ErrorBar
              dataKey="whisker"
              direction="x"
              isAnimationActive={false}
              stroke="var(--muted)"
              strokeWidth={1.5}
              width={4}
            />
          </Scatter>
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  )
}

function labelWidth(points: readonly RangePoint[]): number {
  const longest = Math.max(...points.map(({ name }) => name.length))
  // The chart is drawn in the browser only, so the width of the window is known.
  return Math.min(longest * 7 + 12, window.innerWidth < 640 ? 130 : 210)
}
