import { formatDay } from '../ui/format.ts'
import { placeLabels } from './place-labels.ts'

/** One row in time: its rate (0–1) with the interval, and what it is. */
export type HistoryPoint = {
  id: string
  at: string
  rate: number
  low: number | null
  high: number | null
  solid: boolean
  /** Version or model: named where it differs from the point before. */
  name: string
}

const WIDTH = 760
const HEIGHT = 240
const PLOT = { left: 44, right: 744, top: 12, bottom: 208 }

/** Rows of one subject over time, each with its 95 % interval. Drawn on the server. */
export function HistoryChart({ points }: { points: readonly HistoryPoint[] }) {
  const sorted = [...points].sort((a, b) => (a.at < b.at ? -1 : 1))
  const times = sorted.map(({ at }) => Date.parse(at))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const span = Math.max(last - first, 1)
  const x = (at: string) =>
    sorted.length < 2
      ? (PLOT.left + PLOT.right) / 2
      : PLOT.left + 24 + ((Date.parse(at) - first) / span) * (PLOT.right - PLOT.left - 48)
  const y = (rate: number) => PLOT.bottom - rate * (PLOT.bottom - PLOT.top)
  const named = sorted.filter((point, index) => point.name !== sorted[index - 1]?.name)
  const labels = placeLabels(
    named.map(({ id, name, at, rate }) => ({ id, name, x: x(at), y: y(rate) })),
    { left: PLOT.left, top: 0, right: WIDTH, bottom: PLOT.bottom },
  )
  const ends = sorted.length < 2 ? sorted : [sorted[0], sorted.at(-1)]
  return (
    <svg
      aria-label="Success rate over time. The table shows the same values."
      className="h-auto w-full max-w-4xl"
      role="img"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((rate) => (
        <g key={rate}>
          <line className="stroke-line" x1={PLOT.left} x2={PLOT.right} y1={y(rate)} y2={y(rate)} />
          <text
            className="fill-muted text-[11px]"
            textAnchor="end"
            x={PLOT.left - 6}
            y={y(rate) + 4}
          >
            {rate * 100}
            {rate === 1 ? ' %' : ''}
          </text>
        </g>
      ))}
      {ends.map((point) =>
        point ? (
          <text
            className="fill-muted text-[11px]"
            key={point.id}
            textAnchor="middle"
            x={x(point.at)}
            y={PLOT.bottom + 20}
          >
            {formatDay(point.at)}
          </text>
        ) : null,
      )}
      {sorted.map(({ id, at, rate, low, high, solid }) => (
        <g className={solid ? 'text-accent' : 'text-muted'} key={id}>
          {low !== null && high !== null ? (
            <path
              d={`M${x(at)} ${y(low)}V${y(high)}M${x(at) - 4} ${y(low)}h8M${x(at) - 4} ${y(high)}h8`}
              fill="none"
              opacity="0.6"
              stroke="currentColor"
              strokeWidth="1.5"
            />
          ) : null}
          <circle
            className={solid ? undefined : 'fill-surface'}
            cx={x(at)}
            cy={y(rate)}
            fill="currentColor"
            r="4.5"
            stroke="currentColor"
            strokeWidth="1.75"
          />
        </g>
      ))}
      {labels.map(({ id, name, x: left, y: top, anchor }) => (
        <text className="fill-ink text-[11px]" key={id} textAnchor={anchor} x={left} y={top}>
          {name}
        </text>
      ))}
    </svg>
  )
}
