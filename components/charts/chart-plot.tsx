'use client'

import { memo } from 'react'
import {
  CartesianGrid,
  ErrorBar,
  ReferenceLine,
  Scatter,
  ScatterChart,
  XAxis,
  YAxis,
} from 'recharts'
import type { Chart, ChartPoint } from './chart.ts'
import {
  AxisTitles,
  Bands,
  Bars,
  Frontier,
  Labels,
  RowNames,
  Scaled,
  type Scales,
  ScalesReporter,
} from './chart-layers.tsx'
import { formatTick, isInside, ticksOf, type Zoom } from './chart-scale.ts'
import { dashOf, Marker, toneOf } from './marker.tsx'
import type { Measure } from './names.ts'

type PlotProps = {
  chart: Chart
  width: number
  isNarrow: boolean
  /** True = marks outside of the axes are clipped. */
  isZoomed: boolean
  domains: Zoom
  /** Indices of series that are not drawn. */
  hidden: ReadonlySet<number>
  /** Index of the highlighted series; null = none. */
  lit: number | null
  /** Width for the names of rows, in pixels. */
  namesWidth: number
  measure: Measure
  onScales: (scales: Scales) => void
}

const TICK = { fill: 'var(--muted)', fontSize: 11 }
const FAINT = 0.15
/** Padding for marks at the ends of an axis. */
const EDGE_X = { left: 6, right: 6 }
const EDGE_Y = { top: 6, bottom: 6 }
const NO_EDGE = { top: 0, bottom: 0 }
/** With more points, they are grouped by colour and drawn without intervals. */
const MAX_SEPARATE = 24

/** The marks of a chart, without the parts that follow the pointer. */
export const Plot = memo(function Plot(props: PlotProps) {
  const { chart, width, isNarrow, isZoomed, domains, hidden, lit, namesWidth, measure, onScales } =
    props
  const { x, y, rows, marks = [] } = chart
  const visible = chart.points.filter(
    ({ series, x: left, y: top }) =>
      !hidden.has(series) &&
      (chart.join !== undefined || (isInside(left, domains.x) && isInside(top, domains.y))),
  )
  const hasMarks = visible.some(({ from }) => from === undefined)
  const hasWhiskers =
    !chart.hasBands &&
    (chart.join !== undefined || visible.length <= MAX_SEPARATE || rows !== undefined)
  return (
    <ScatterChart
      accessibilityLayer={false}
      height={chart.height[isNarrow ? 'narrow' : 'wide']}
      margin={{ top: rows ? 2 : 22, right: 20, bottom: 16, left: rows ? namesWidth : 0 }}
      width={width}
    >
      <Axes chart={chart} domains={domains} isCut={isZoomed || !hasMarks} isNarrow={isNarrow} />
      <Scaled>
        {(scales) => (
          <>
            {chart.hasFrontier ? (
              <Frontier
                points={chart.points.filter(({ series }) => !hidden.has(series))}
                scales={scales}
              />
            ) : null}
            {chart.hasBands ? (
              <Bands chart={chart} hidden={hidden} lit={lit} scales={scales} />
            ) : null}
            {rows ? (
              <RowNames
                isNarrow={isNarrow}
                measure={measure}
                rows={rows}
                scales={scales}
                width={namesWidth}
              />
            ) : null}
            <Bars lit={lit} points={visible} scales={scales} series={chart.series} />
          </>
        )}
      </Scaled>
      {marks.map(({ x: at, text }) => (
        <ReferenceLine key={at} stroke="var(--line-strong)" strokeDasharray="3 3" x={at}>
          <title>{text}</title>
        </ReferenceLine>
      ))}
      {groupPoints(chart, visible).map((group) => (
        <PointGroup
          chart={chart}
          domains={domains}
          hasWhiskers={hasWhiskers}
          isFaint={lit !== null && !group.some(({ series }) => series === lit)}
          key={group[0]?.id}
          lit={lit}
          points={group}
        />
      ))}
      <Scaled>
        {(scales) => (
          <>
            <Labels measure={measure} points={visible} scales={scales} />
            <AxisTitles scales={scales} x={x} y={y} />
            <ScalesReporter onScales={onScales} scales={scales} />
          </>
        )}
      </Scaled>
    </ScatterChart>
  )
})

type AxesProps = Pick<PlotProps, 'chart' | 'domains' | 'isNarrow'> & {
  /** The axes have fixed ends, beyond which marks are clipped. Without marks, recharts cannot compute them. */
  isCut: boolean
}

function Axes({ chart: { x, y, rows, join }, domains, isNarrow, isCut }: AxesProps) {
  return (
    <>
      <CartesianGrid
        horizontal={!rows}
        stroke="var(--line)"
        syncWithTicks
        vertical={rows !== undefined || join === undefined || join === 'step'}
      />
      <XAxis
        allowDataOverflow={isCut}
        axisLine={{ stroke: 'var(--line)' }}
        dataKey="x"
        domain={[...domains.x]}
        height={24}
        // Only times can be too long for their places; recharts measures texts by drawing them.
        interval={x.format === 'day' ? 'preserveStart' : 0}
        niceTicks="none"
        padding={EDGE_X}
        scale={x.scale}
        tick={TICK}
        tickFormatter={(value: number) => formatTick(value, x.format)}
        tickLine={false}
        ticks={ticksOf(x, domains.x, isNarrow ? 3 : 6)}
        type="number"
      />
      <YAxis
        allowDataOverflow={isCut}
        axisLine={false}
        dataKey="y"
        domain={[...domains.y]}
        hide={rows !== undefined}
        interval={0}
        niceTicks="none"
        padding={rows ? NO_EDGE : EDGE_Y}
        reversed={rows !== undefined}
        tick={TICK}
        tickFormatter={(value: number) => formatTick(value, y.format)}
        tickLine={false}
        ticks={rows ? [] : ticksOf(y, domains.y)}
        type="number"
        width={44}
      />
    </>
  )
}

/** Points that are drawn together: those of one series, or of one colour if there are many. */
function groupPoints({ series, join, rows }: Chart, points: readonly ChartPoint[]): ChartPoint[][] {
  const drawn = points.filter(({ from }) => from === undefined)
  const isSeparate = join !== undefined || rows !== undefined || drawn.length <= MAX_SEPARATE
  const keyOf = (point: ChartPoint) =>
    isSeparate ? point.series : `${toneOf(series[point.series], point)} ${point.isContext}`
  const groups = new Map<number | string, ChartPoint[]>()
  for (const point of drawn) groups.set(keyOf(point), [...(groups.get(keyOf(point)) ?? []), point])
  return [...groups.values()]
}

type PointGroupProps = Pick<PlotProps, 'chart' | 'domains' | 'lit'> & {
  points: readonly ChartPoint[]
  hasWhiskers: boolean
  isFaint: boolean
}

/** Points with their whiskers, and the line that joins them. */
function PointGroup({ chart, domains, points, hasWhiskers, isFaint, lit }: PointGroupProps) {
  const [first] = points
  if (!first) return null
  const { join, series } = chart
  const own = series[first.series]
  const tone = toneOf(own, first)
  const data = points.map((point) => toDatum(point, domains))
  const whisker = { stroke: tone, strokeOpacity: isFaint ? FAINT : 0.55, width: join ? 4 : 3 }
  return (
    <Scatter
      data={join === 'step' ? withEnds(data, domains) : data}
      fill={tone}
      isAnimationActive={false}
      line={join ? { stroke: tone, strokeWidth: 1.75, strokeDasharray: dashOf(own) } : false}
      lineJointType={join === 'step' ? 'stepAfter' : 'linear'}
      lineType="joint"
      opacity={isFaint ? FAINT : 1}
      shape={({ cx, cy, payload }: ShapeProps) =>
        join === 'step' || cx === undefined || cy === undefined || !payload ? (
          <g />
        ) : (
          <Marker
            isFaint={lit !== null && payload.point.series !== lit}
            isSolid={payload.point.isSolid}
            pattern={series[payload.point.series]?.style.pattern ?? 0}
            tone={tone}
            x={cx}
            y={cy}
          />
        )
      }
    >
      {hasWhiskers && data.some(({ acrossBy }) => acrossBy) ? (
        <ErrorBar dataKey="acrossBy" direction="x" isAnimationActive={false} {...whisker} />
      ) : null}
      {hasWhiskers && data.some(({ uprightBy }) => uprightBy) ? (
        <ErrorBar dataKey="uprightBy" direction="y" isAnimationActive={false} {...whisker} />
      ) : null}
    </Scatter>
  )
}

type Reach = readonly [below: number, above: number]
type Datum = {
  point: ChartPoint
  x: number
  y: number
  /** Distances to both ends of the interval, for ErrorBar; undefined = unknown. */
  acrossBy: Reach | undefined
  uprightBy: Reach | undefined
}
type ShapeProps = { cx?: number | undefined; cy?: number | undefined; payload?: Datum }

function toDatum(
  point: ChartPoint,
  { x: [left, right], y: [bottom, top] }: PlotProps['domains'],
): Datum {
  const { x, y, xLow, xHigh, yLow, yHigh } = point
  const end = xHigh === null && typeof xLow === 'number' ? right : xHigh
  return {
    point,
    x,
    y,
    acrossBy:
      typeof xLow === 'number' && typeof end === 'number'
        ? [x - Math.max(xLow, left), Math.min(end, right) - x]
        : undefined,
    uprightBy:
      typeof yLow === 'number' && typeof yHigh === 'number'
        ? [y - Math.max(yLow, bottom), Math.min(yHigh, top) - y]
        : undefined,
  }
}

/** Extends a curve to the bottom and to the right edge. */
function withEnds(data: Datum[], { x: [, right] }: PlotProps['domains']): Datum[] {
  const [first, last] = [data[0], data.at(-1)]
  if (!first || !last) return data
  const ends = { acrossBy: undefined, uprightBy: undefined }
  return [{ ...first, ...ends, y: 0 }, ...data, { ...last, ...ends, x: Math.max(right, last.x) }]
}
