import { UNKNOWN } from './number.ts'

/** A rate in per cent without the unit, and how far the interval reaches from it: `62` and `± 9`, or `+3 −14`. */
export type RateText = { rate: string; spread: string }

/** Shows whole points where the interval is wider than a point, one decimal where it allows no more. */
export function formatRate(rate: number | null, low: number | null, high: number | null): RateText {
  if (rate === null) return { rate: UNKNOWN, spread: '' }
  if (low === null || high === null) return { rate: points(rate, 1), spread: '' }
  const decimals = high - low > 0.02 ? 0 : 1
  const [up, down] = [points(high - rate, decimals), points(rate - low, decimals)]
  return {
    rate: points(rate, decimals),
    spread: up === down ? `± ${up}` : [part('+', up), part('−', down)].filter(Boolean).join(' '),
  }
}

function points(share: number, decimals: number): string {
  return Math.max(0, share * 100).toFixed(decimals)
}

function part(sign: string, size: string): string {
  return Number(size) === 0 ? '' : `${sign}${size}`
}
