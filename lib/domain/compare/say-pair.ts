import { countOf } from '../eligibility/list-names.ts'
import type { PairView } from './comparison.ts'

type SaidPair = Pick<PairView, 'result' | 'common'>

/** `a is better than b by 12.0 points (4.0 to 20.0), 20 common tasks, adjusted p 0.010.` */
export function sayPair(a: string, b: string, { result, common }: SaidPair): string {
  if (!result.ok) return `${a} and ${b} cannot be compared: ${result.refusal.reason}`
  const { difference, low, high, adjustedP, verdict } = result
  const basis = `${countOf(common, 'common task')}, adjusted p ${formatP(adjustedP)}.`
  const [from, to] = [formatPoints(low), formatPoints(high)]
  switch (verdict.kind) {
    case 'better':
      return `${a} is better than ${b} by ${formatPoints(difference)} points (${from} to ${to}), ${basis}`
    case 'worse':
      return `${a} is worse than ${b} by ${formatPoints(-difference)} points (${formatPoints(-high)} to ${formatPoints(-low)}), ${basis}`
    case 'no-larger-than':
      return `${a} and ${b}: ${verdict.text} (${formatPoints(difference)}, ${from} to ${to}), ${basis}`
    case 'cannot-tell':
      return `Cannot tell ${a} and ${b} apart: ${formatPoints(difference)} points (${from} to ${to}), ${basis}`
  }
}

/** A difference of rates as percentage points with one decimal and a true minus: -0.034 → `−3.4`. */
export function formatPoints(difference: number): string {
  const text = (100 * Math.abs(difference)).toFixed(1)
  return difference < 0 && text !== '0.0' ? `−${text}` : text
}

/** Three decimals; more where rounding would carry it over the usual level of 0.05. */
export function formatP(p: number): string {
  if (p < 0.001) return '< 0.001'
  if (p > 0.9995) return '1'
  const text = p.toFixed(3)
  return text === '0.050' && p !== 0.05 ? p.toFixed(5) : text
}
