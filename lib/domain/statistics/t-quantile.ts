import { betaQuantile } from './beta-quantile.ts'
import { normalQuantile } from './normal-quantile.ts'

/** From here on t and normal quantiles differ by less than 1e-7 of their value. */
const NEARLY_NORMAL = 1e7

/**
 * Quantile of Student's t with `df` > 0 degrees of freedom at probability p in (0, 1), through the beta distribution:
 * t² / (df + t²) follows Beta(1/2, df/2).
 */
export function tQuantile(p: number, df: number): number {
  if (df > NEARLY_NORMAL) return normalQuantile(p)
  if (p === 0.5) return 0
  const share = betaQuantile(Math.abs(2 * p - 1), 0.5, df / 2)
  const size = Math.sqrt((df * share) / (1 - share))
  return p < 0.5 ? -size : size
}
