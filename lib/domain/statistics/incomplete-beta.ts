import { logGamma } from './log-gamma.ts'

const TINY = 1e-300
const ENOUGH = 1e-16
const MOST_TERMS = 100_000

/**
 * Regularised incomplete beta I_x(a, b) for a, b > 0 and x in [0, 1]: the beta distribution's cumulative probability.
 * Lentz's evaluation of the continued fraction (DLMF 8.17.22), on the side where it converges fast.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const log = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)
  const front = Math.exp(log)
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a
  return 1 - (front * fraction(1 - x, b, a)) / b
}

function fraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    const step = d * c
    value *= step
    if (Math.abs(step - 1) < ENOUGH) break
  }
  return value
}

/** Keeps Lentz's divisors from being zero. */
function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
