type WhiskerProps = {
  rate: number | null
  low: number | null
  high: number | null
  solid: boolean
  /** True = with a tinted bar from 0 to the rate. */
  bar?: boolean
  /** Colour of the entry, 1–8, 0 = none; absent = not a row of an entry. */
  colour?: number | undefined
}

/** Text colours, indexed by the colour of an entry. */
const TONES = [
  'text-muted',
  'text-entry-1',
  'text-entry-2',
  'text-entry-3',
  'text-entry-4',
  'text-entry-5',
  'text-entry-6',
  'text-entry-7',
  'text-entry-8',
]

/** Returns the text colour of an entry. */
export const toneOf = (colour: number): string => TONES[colour] ?? 'text-muted'

/** A rate on a 0–100 % line with its interval; filled when ranked, hollow otherwise. */
export function Whisker({ rate, low, high, solid, bar, colour }: WhiskerProps) {
  const tone = colour === undefined ? (solid ? 'text-accent' : 'text-muted') : toneOf(colour)
  return (
    <svg
      aria-hidden="true"
      className={`h-4 w-full min-w-24 ${tone}`}
      preserveAspectRatio="none"
      viewBox="-5 0 110 16"
    >
      {bar && rate !== null ? (
        <rect
          fill="currentColor"
          fillOpacity={solid ? 0.16 : 0.12}
          height="14"
          width={percent(rate)}
          x="0"
          y="1"
        />
      ) : null}
      <path
        className="stroke-line"
        d="M0 8H100M0 5v6M50 5v6M100 5v6"
        vectorEffect="non-scaling-stroke"
      />
      {low !== null && high !== null ? (
        <path
          d={`M${percent(low)} 4v8M${percent(high)} 4v8M${percent(low)} 8H${percent(high)}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
      {rate === null ? null : <Mark solid={solid} x={percent(rate)} />}
    </svg>
  )
}

/** A zero-length line with round ends, which stays a circle when the box is stretched. */
function Mark({ x, solid }: { x: string; solid: boolean }) {
  const d = `M${x} 8h0.001`
  const line = { d, strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  return (
    <>
      <path stroke="currentColor" strokeWidth="9" {...line} />
      {solid ? null : <path className="stroke-surface" strokeWidth="5.5" {...line} />}
    </>
  )
}

function percent(rate: number): string {
  return (Math.min(Math.max(rate, 0), 1) * 100).toFixed(2)
}

type DifferenceWhiskerProps = {
  difference: number
  low: number
  high: number
  /** Half-width of the axis around zero, 0–1. */
  reach: number
  solid: boolean
}

const MIDDLE = 8

/** A difference with its interval on a line around zero; filled when ranked, hollow otherwise. */
export function DifferenceWhisker({ difference, low, high, reach, solid }: DifferenceWhiskerProps) {
  const at = (value: number) => (Math.min(Math.max(value / reach, -1), 1) * 100).toFixed(2)
  return (
    <svg
      aria-hidden="true"
      className={`h-4 w-full min-w-24 ${solid ? 'text-accent' : 'text-muted'}`}
      preserveAspectRatio="none"
      viewBox="-106 0 212 16"
    >
      <line className="stroke-line" x1="-100" x2="100" y1={MIDDLE} y2={MIDDLE} />
      <line
        className="stroke-line-strong"
        vectorEffect="non-scaling-stroke"
        x1="0"
        x2="0"
        y1="0"
        y2="16"
      />
      <path
        d={`M${at(low)} 4v8M${at(high)} 4v8M${at(low)} ${MIDDLE}H${at(high)}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
      <Mark solid={solid} x={at(difference)} />
    </svg>
  )
}
