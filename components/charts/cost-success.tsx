import { classNames } from '../ui/class-names.ts'
import { formatUsd } from '../ui/format.ts'
import { type CostPoint, frontier } from './chart-points.ts'
import { placeLabels } from './place-labels.ts'

export type CostSuccessPoint = CostPoint & { low: number | null; high: number | null; tone: string }

const WIDTH = 440
const HEIGHT = 262
const PLOT = { left: 40, right: 428, top: 10, bottom: 226 }
const STEPS = [1, 2, 5]
const MOST_TICKS = 6

/**
 * Cost per success (USD, log scale) against success (%), with the interval of each rate and the step line of the Pareto
 * frontier of the ranked points; what lies below it costs more and solves less. Drawn on the server.
 */
export function CostSuccessChart({ points }: { points: readonly CostSuccessPoint[] }) {
  const x = costScale(points.map(({ cost }) => cost))
  const y = (success: number) =>
    PLOT.bottom - (Math.min(Math.max(success, 0), 100) / 100) * (PLOT.bottom - PLOT.top)
  const best = frontier(points.filter(({ claim }) => claim))
  const labels = placeLabels(
    points.map(({ id, name, cost, success }) => ({ id, name, x: x.at(cost), y: y(success) })),
    { left: PLOT.left, top: 0, right: WIDTH, bottom: PLOT.bottom },
    best.map(({ cost, success }, index) => {
      const next = best[index + 1]
      const right = next ? x.at(next.cost) : PLOT.right
      return { left: x.at(cost), right, top: y(success) - 1, bottom: y(success) + 1 }
    }),
  )
  const said = points.map(
    ({ name, cost, success }) => `${name}: ${formatUsd(cost * 1e6)} USD, ${success.toFixed(1)} %`,
  )
  return (
    <svg
      aria-label={`Cost per success against success rate. ${said.join('; ')}.`}
      className="h-auto w-full"
      role="img"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      {[0, 25, 50, 75, 100].map((rate) => (
        <g key={rate}>
          <line className="stroke-line" x1={PLOT.left} x2={PLOT.right} y1={y(rate)} y2={y(rate)} />
          <text className={TICK} textAnchor="end" x={PLOT.left - 6} y={y(rate) + 4}>
            {rate === 100 ? '100 %' : rate}
          </text>
        </g>
      ))}
      {x.ticks.map((cost) => (
        <text className={TICK} key={cost} textAnchor="middle" x={x.at(cost)} y={PLOT.bottom + 18}>
          ${cost}
        </text>
      ))}
      <text className={TICK} textAnchor="end" x={PLOT.right} y={HEIGHT - 4}>
        cost per solved task, USD, log scale →
      </text>
      {best.length > 1 ? <Frontier best={best} x={x.at} y={y} /> : null}
      {points.map((point) => (
        <Point key={point.id} point={point} x={x.at(point.cost)} y={y} />
      ))}
      {labels.map(({ id, name, x: left, y: top, anchor }) => (
        <text className="fill-ink text-[11px]" key={id} textAnchor={anchor} x={left} y={top}>
          {name}
        </text>
      ))}
    </svg>
  )
}

const TICK = 'fill-muted text-[11px]'

type PointProps = { point: CostSuccessPoint; x: number; y: (success: number) => number }

function Point({ point, x, y }: PointProps) {
  const { low, high, success, claim, tone } = point
  return (
    <g className={tone}>
      {low !== null && high !== null ? (
        <line
          opacity="0.55"
          stroke="currentColor"
          strokeWidth="1.5"
          x1={x}
          x2={x}
          y1={y(low)}
          y2={y(high)}
        />
      ) : null}
      <circle
        className={classNames(!claim && 'fill-surface')}
        cx={x}
        cy={y(success)}
        fill={claim ? 'currentColor' : undefined}
        r="4.5"
        stroke="currentColor"
        strokeWidth="1.75"
      />
    </g>
  )
}

type FrontierProps = {
  best: readonly CostPoint[]
  x: (cost: number) => number
  y: (success: number) => number
}

/** The best rate that each cost buys, as steps, and the shaded region that it dominates. */
function Frontier({ best, x, y }: FrontierProps) {
  const [first] = best
  if (!first) return null
  const steps = best.map(({ cost, success }) => `H${x(cost).toFixed(1)}V${y(success).toFixed(1)}`)
  const start = `M${x(first.cost).toFixed(1)} ${y(first.success).toFixed(1)}`
  const line = `${start}${steps.join('')}H${PLOT.right}`
  return (
    <>
      <path className="fill-muted" d={`${line}V${PLOT.bottom}H${x(first.cost)}Z`} opacity="0.06" />
      <path className="stroke-line-strong" d={line} fill="none" strokeDasharray="3 3" />
    </>
  )
}

/** A log scale a little wider than the costs, with its 1-2-5 ticks. */
function costScale(costs: readonly number[]) {
  const known = costs.filter((cost) => cost > 0)
  const least = Math.min(...known, ...(known.length > 0 ? [] : [0.01])) / 1.6
  const most = Math.max(...known, least * 2) * 1.6
  const span = Math.log(most / least)
  const at = (cost: number) =>
    PLOT.left + (Math.log(Math.max(cost, least) / least) / span) * (PLOT.right - PLOT.left)
  const decades = Array.from({ length: 14 }, (_, index) => 10 ** (index - 7))
  const all = decades.flatMap((decade) =>
    STEPS.map((step) => Number((step * decade).toPrecision(1))),
  )
  const inside = all.filter((cost) => cost >= least && cost <= most)
  const ticks =
    inside.length > MOST_TICKS ? inside.filter((cost) => decades.includes(cost)) : inside
  return { at, ticks }
}
