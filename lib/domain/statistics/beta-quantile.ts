import { incompleteBeta } from './incomplete-beta.ts'

/**
 * The x with I_x(a, b) = p, for a, b > 0 and p in [0, 1]. Bisection until no double lies between the bounds: slow
 * (some 60 evaluations), but as exact as the distribution function itself.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let low = 0
  let high = 1
  for (let step = 0; step < 1100; step++) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) break
    if (incompleteBeta(middle, a, b) < p) low = middle
    else high = middle
    if (high - low <= Number.EPSILON * low) break
  }
  return low + (high - low) / 2
}
