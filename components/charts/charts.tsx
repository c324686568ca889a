'use client'

import {
  CartesianGrid,
  ErrorBar,
  LabelList,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { axisStyle, ChartMark, ChartTooltip } from './chart-parts.tsx'
import { type CostPoint, frontier, type RangePoint } from './chart-points.ts'

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

/** The frontier is a line; its points are drawn once, with the others. */
const NoMark = () => <g />

/** More names than this would cover each other. */
const MOST_NAMED = 12

type CostChartProps = { points: CostPoint[]; unit?: string }

/** Cost per success against success rate; top left is best. */
export function CostChart({ points, unit = 'USD' }: CostChartProps) {
  return (
    <div
      aria-label={`${unit} per success against success. The table above shows the same values.`}
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
          <Scatter
            data={frontier(points.filter((point) => point.claim))}
            isAnimationActive={false}
            legendType="none"
            line={{ stroke: 'var(--line-strong)', strokeDasharray: '4 3' }}
            shape={NoMark}
            tooltipType="none"
          />
          <Scatter data={points} isAnimationActive={false} shape={ChartMark}>
            {points.length <= MOST_NAMED ? (
              <LabelList content={(label) => <PointName label={label} points={points} />} />
            ) : null}
          </Scatter>
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  )
}

type Label = {
  x?: number | string | undefined
  y?: number | string | undefined
  index?: number | undefined
}

/** A point's name on one line, to its left where the right edge is near. */
function PointName({ label, points }: { label: Label; points: readonly CostPoint[] }) {
  const point = points[label.index ?? -1]
  if (!point) return null
  const dearest = Math.max(...points.map(({ cost }) => cost))
  const isRight = point.cost > dearest * 0.6
  return (
    <text
      dy="0.35em"
      fill="var(--muted)"
      fontSize={12}
      textAnchor={isRight ? 'end' : 'start'}
      x={Number(label.x) + (isRight ? -6 : 16)}
      y={Number(label.y) + 5}
    >
      {point.name}
    </text>
  )
}
