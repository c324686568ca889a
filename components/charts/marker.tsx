import type { ChartPoint, Series } from './chart.ts'

/** The colour of a series. Without an entry it depends on whether the result is ranked. */
export function toneOf(
  series: Series | undefined,
  { isSolid, isContext }: Pick<ChartPoint, 'isSolid' | 'isContext'>,
): string {
  if (isContext) return 'var(--line-strong)'
  if (series?.tone !== undefined) return `var(--${series.tone})`
  const colour = series?.style.colour ?? 0
  if (colour > 0) return `var(--entry-${colour})`
  return isSolid ? 'var(--accent)' : 'var(--muted)'
}

const DASHES = ['none', '7 3', '2 3', '9 3 2 3'] as const

export function dashOf(series: Series | undefined): string {
  return DASHES[series?.style.pattern ?? 0] ?? 'none'
}

type MarkerProps = {
  x: number
  y: number
  tone: string
  isSolid: boolean
  /** Index of the shape, which distinguishes entries if there are more than colours. */
  pattern: number
  isFaint?: boolean
}

/** A point: filled for a ranked result, hollow otherwise. */
export function Marker({ x, y, tone, isSolid, pattern, isFaint = false }: MarkerProps) {
  const paint = {
    fill: isSolid ? tone : 'var(--surface)',
    stroke: tone,
    strokeWidth: 1.75,
    opacity: isFaint ? 0.2 : 1,
  }
  if (pattern % 4 === 0) return <circle cx={x} cy={y} r={4.5} {...paint} />
  return <path d={SHAPES[pattern % 4]} transform={`translate(${x} ${y})`} {...paint} />
}

/** Circle, square, diamond, triangle. */
const SHAPES = ['', 'M-4 -4h8v8h-8Z', 'M0 -5.5L5.5 0L0 5.5L-5.5 0Z', 'M0 -5L5 4H-5Z'] as const
