'use client'

import {
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { axisStyle } from './axis-style.ts'
import { ChartMark } from './chart-mark.tsx'
import type { CostPoint } from './chart-points.ts'
import { ChartTooltip } from './chart-tooltip.tsx'

/** More names than this would cover each other. */
const MOST_NAMED = 12

type CostChartProps = { points: CostPoint[]; unit?: string }

/** What a success takes against success; left and high is better. */
export function CostChart({ points, unit = 'USD' }: CostChartProps) {
  return (
    <div
      aria-label={`${unit} per success against success. The same numbers stand in the table above.`}
      className="h-80"
      role="img"
    >
      <ResponsiveContainer height="100%" width="100%">
        <ScatterChart
          accessibilityLayer={false}
          margin={{ top: 8, right: 24, bottom: 20, left: 0 }}
        >
          <CartesianGrid stroke="var(--line)" />
          <XAxis
            {...axisStyle}
            dataKey="cost"
            domain={[0, 'auto']}
            label={{
              value: `${unit} per success`,
              position: 'insideBottom',
              offset: -12,
              fill: 'var(--muted)',
              fontSize: 12,
            }}
            type="number"
          />
          <YAxis
            {...axisStyle}
            dataKey="success"
            domain={[0, 100]}
            tickFormatter={(value: number) => `${value} %`}
            type="number"
          />
          <Tooltip
            content={<ChartTooltip unit={unit} />}
            cursor={{ stroke: 'var(--line-strong)' }}
          />
          <Scatter data={points} isAnimationActive={false} shape={ChartMark}>
            {points.length <= MOST_NAMED ? (
              <LabelList
                dataKey="name"
                fill="var(--muted)"
                fontSize={12}
                offset={8}
                position="right"
              />
            ) : null}
          </Scatter>
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  )
}
