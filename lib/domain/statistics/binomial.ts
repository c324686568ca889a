import { incompleteBeta } from './incomplete-beta.ts'
import { logGamma } from './log-gamma.ts'

/** P(X = k) for X binomial(n, p); 0 ≤ k ≤ n. */
export function binomialProbability(k: number, n: number, p: number): number {
  if (p <= 0) return k === 0 ? 1 : 0
  if (p >= 1) return k === n ? 1 : 0
  const choose = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)
  return Math.exp(choose + k * Math.log(p) + (n - k) * Math.log1p(-p))
}

/** P(X ≤ k) for X binomial(n, p), through the incomplete beta function. */
export function binomialCumulative(k: number, n: number, p: number): number {
  if (k < 0) return 0
  return k >= n ? 1 : incompleteBeta(1 - p, n - k, k + 1)
}
