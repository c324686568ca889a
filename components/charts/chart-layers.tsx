'use client'

import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import {
  usePlotArea,
  useXAxisInverseScale,
  useXAxisScale,
  useYAxisInverseScale,
  useYAxisScale,
  ZIndexLayer,
} from 'recharts'
import {
  type Axis,
  type Chart,
  type ChartPoint,
  type ChartRow,
  frontier,
  type Series,
} from './chart.ts'
import { toneOf } from './marker.tsx'
import { fittedNames, type Measure, tellingParts } from './names.ts'
import { type Box, placeLabels } from './place-labels.ts'

/** Converts values to pixels from the upper left corner of the drawing. */
export type Scales = {
  x: (value: number) => number
  y: (value: number) => number
  /** Converts pixels to units of the axes. */
  invert: (left: number, top: number) => { x: number; y: number }
  plot: Box
}

/** Draws what needs the scales of the enclosing chart, once its axes are known. */
export function Scaled({ children }: { children: (scales: Scales) => ReactNode }) {
  const [x, y, area] = [useXAxisScale(), useYAxisScale(), usePlotArea()]
  const [fromX, fromY] = [useXAxisInverseScale(), useYAxisInverseScale()]
  const scales = useMemo<Scales | null>(() => {
    if (!x || !y || !area || !fromX || !fromY) return null
    return {
      x: (value) => x(value) ?? Number.NaN,
      y: (value) => y(value) ?? Number.NaN,
      invert: (left, top) => ({ x: Number(fromX(left)), y: Number(fromY(top)) }),
      plot: {
        left: area.x,
        right: area.x + area.width,
        top: area.y,
        bottom: area.y + area.height,
      },
    }
  }, [x, y, area, fromX, fromY])
  return scales ? children(scales) : null
}

type ScalesReporterProps = { scales: Scales; onScales: (scales: Scales) => void }

/** Reports the scales to the component around the chart. */
export function ScalesReporter({ scales, onScales }: ScalesReporterProps) {
  useLayoutEffect(() => onScales(scales), [scales, onScales])
  return null
}

const TEXT = { fontSize: 11, fill: 'var(--muted)' } as const
const LABELS_ABOVE_POINTS = 700

/** Titles of the axes: above the left one, below the end of the lower one. */
export function AxisTitles({ x, y, scales }: { x: Axis; y: Axis; scales: Scales }) {
  const { right, bottom } = scales.plot
  return (
    <>
      <text x={0} y={11} {...TEXT}>
        {y.title}
      </text>
      <text textAnchor="end" x={right} y={bottom + 36} {...TEXT}>
        {x.title === '' ? '' : `${x.title}${x.scale === 'log' ? ', log scale' : ''} →`}
      </text>
    </>
  )
}

type RowNamesProps = {
  rows: readonly ChartRow[]
  isNarrow: boolean
  width: number
  measure: Measure
  scales: Scales
}

/** Names of rows: next to their marks, on a phone above them. */
export function RowNames({ rows, isNarrow, width, measure, scales }: RowNamesProps) {
  const names = rows.flatMap(({ name, isHeading }) => (isHeading ? [] : name))
  const room = isNarrow ? scales.plot.right : width - 12
  const labelOf = fittedNames(names, room, measure)
  return rows.map(({ name, isHeading }, index) => {
    const at = scales.y(index)
    const key = `${index} ${name}`
    if (isHeading)
      return (
        <text fontSize={12} fontWeight={600} fill="var(--ink)" key={key} x={0} y={at + 5}>
          {name}
        </text>
      )
    return (
      <text
        fill="var(--ink)"
        fontSize={11}
        key={key}
        textAnchor={isNarrow ? 'start' : 'end'}
        x={isNarrow ? 0 : width - 10}
        y={isNarrow ? at - 8 : at + 4}
      >
        {labelOf(name)}
        <title>{name}</title>
      </text>
    )
  })
}

const BAR_HEIGHT = 18

type BarsProps = {
  points: readonly ChartPoint[]
  series: readonly Series[]
  lit: number | null
  scales: Scales
}

/** Points with a start, as bars with their label inside if it fits. */
export function Bars({ points, series, lit, scales }: BarsProps) {
  return points.map((point) => {
    if (point.from === undefined) return null
    const shade = series[point.series]?.shade ?? 1
    const [left, right] = [scales.x(point.from), scales.x(point.x)]
    const top = scales.y(point.y) - BAR_HEIGHT / 2
    const hasRoom = right - left > (point.label?.length ?? 0) * 7 + 4
    return (
      <g key={point.id} opacity={lit === null || lit === point.series ? 1 : 0.25}>
        <rect
          fill={toneOf(series[point.series], point)}
          fillOpacity={shade}
          height={BAR_HEIGHT}
          width={Math.max(right - left - 1, 0.5)}
          x={left}
          y={top}
        />
        {hasRoom ? (
          <text
            fill={shade > 0.7 ? 'var(--surface)' : 'var(--ink)'}
            fontSize={11}
            textAnchor="middle"
            x={(left + right) / 2}
            y={top + 13}
          >
            {point.label}
          </text>
        ) : null}
      </g>
    )
  })
}

type BandsProps = {
  chart: Chart
  hidden: ReadonlySet<number>
  lit: number | null
  scales: Scales
}

/** The region between the lower and upper bounds of each series. */
export function Bands({ chart: { points, series }, hidden, lit, scales }: BandsProps) {
  return series.map((one, index) => {
    const own = points.filter((point) => point.series === index)
    const [first] = own
    if (!first || hidden.has(index)) return null
    const place = (x: number, y: number) => `${scales.x(x)} ${scales.y(y)}`
    const above = own.map(({ x, y, yHigh }) => place(x, yHigh ?? y))
    const below = own.map(({ x, y, yLow }) => place(x, yLow ?? y)).reverse()
    return (
      <path
        d={`M${[...above, ...below].join('L')}Z`}
        fill={toneOf(one, first)}
        key={one.id}
        opacity={lit === null ? 0.08 : lit === index ? 0.2 : 0.02}
      />
    )
  })
}

/** The best rate for each cost, as steps, and the shaded region that costs more and solves less. */
export function Frontier({ points, scales }: { points: readonly ChartPoint[]; scales: Scales }) {
  const best = frontier(points.filter(({ isSolid }) => isSolid))
  const [first] = best
  if (!first) return null
  const { left, right, top, bottom } = scales.plot
  const across = (x: number) => Math.min(Math.max(scales.x(x), left), right)
  const upright = (y: number) => Math.min(Math.max(scales.y(y), top), bottom)
  const start = `M${across(first.x)} ${upright(first.y)}`
  const steps = best.map(({ x, y }) => `H${across(x)}V${upright(y)}`)
  const line = `${start}${steps.join('')}H${right}`
  return (
    <>
      <path d={`${line}V${bottom}H${across(first.x)}Z`} fill="var(--muted)" opacity={0.07} />
      <path d={line} fill="none" stroke="var(--line-strong)" strokeDasharray="3 3" />
    </>
  )
}

const MAX_LABEL_WIDTH = { wide: 200, narrow: 150 } as const
/** Thickness, for placing labels, of whiskers and steps. */
const LINE = 1

type LabelsProps = { points: readonly ChartPoint[]; measure: Measure; scales: Scales }

/** Labels where they fit: never over a point and, if possible, not over an interval or the frontier. */
export function Labels({ points, measure, scales }: LabelsProps) {
  const placed = useMemo(() => placeNames(points, scales, measure), [points, scales, measure])
  return (
    <ZIndexLayer zIndex={LABELS_ABOVE_POINTS}>
      {placed.map(({ leader }) =>
        leader ? (
          <line
            key={leader.join()}
            opacity={0.6}
            stroke="var(--ink)"
            x1={leader[0]}
            x2={leader[2]}
            y1={leader[1]}
            y2={leader[3]}
          />
        ) : null,
      )}
      {placed.map(({ id, name, x, y, anchor }) => (
        <text
          fill="var(--ink)"
          fontSize={11}
          key={id}
          paintOrder="stroke"
          stroke="var(--surface)"
          strokeLinejoin="round"
          strokeWidth={3}
          textAnchor={anchor}
          x={x}
          y={y}
        >
          {name}
        </text>
      ))}
    </ZIndexLayer>
  )
}

function placeNames(points: readonly ChartPoint[], scales: Scales, measure: Measure) {
  const { plot } = scales
  const marked = points.filter(({ from }) => from === undefined)
  if (!marked.some(({ label }) => label)) return []
  const names = marked.map(({ name }) => name)
  const isNarrow = plot.right < 520
  const shown = (name: string) => (isNarrow ? tellingParts(name, names).join(' · ') : name)
  const most = isNarrow ? MAX_LABEL_WIDTH.narrow : MAX_LABEL_WIDTH.wide
  const labelOf = fittedNames(names.map(shown), most, measure)
  const ranked = [...marked].sort((a, b) => Number(b.isSolid) - Number(a.isSolid))
  const isShown = ({ x, y }: { x: number; y: number }) =>
    x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom
  const named = ranked
    .map(({ id, label, x, y, isFirst = false }) => ({
      id,
      isFirst,
      x: scales.x(x),
      y: scales.y(y),
      name: label ? labelOf(shown(label)) : '',
    }))
    .filter(isShown)
  const frame = { ...plot, top: plot.top - 8, right: plot.right + 10 }
  return placeLabels(
    named,
    frame,
    marked.flatMap((point) => whiskers(point, scales)),
    measure,
  )
}

/** Both intervals of a point as boxes. */
function whiskers(point: ChartPoint, { x, y, plot }: Scales): Box[] {
  const [cx, cy] = [x(point.x), y(point.y)]
  const isOpen = point.xHigh === null && typeof point.xLow === 'number'
  return [
    {
      left: x(point.xLow ?? point.x),
      right: isOpen ? plot.right : x(point.xHigh ?? point.x),
      top: cy - LINE,
      bottom: cy + LINE,
    },
    {
      left: cx - LINE,
      right: cx + LINE,
      top: y(point.yHigh ?? point.y),
      bottom: y(point.yLow ?? point.y),
    },
  ]
}
