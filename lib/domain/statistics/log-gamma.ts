/** Coefficients for g = 607/128, n = 15 (P. Godfrey); relative error below 1e-15 for x > 0. */
const LANCZOS = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746,
  -0.4919138160976202, 3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5,
  0.0001580887032249125, -0.00021026444172410488, 0.00021743961811521265, -0.0001643181065367639,
  8.441822398385275e-5, -2.6190838401581408e-5, 3.6899182659531625e-6,
] as const

const HALF_LOG_TWO_PI = 0.9189385332046728
const G = 607 / 128

/** ln Γ(x) for x > 0 by Lanczos' approximation. */
export function logGamma(x: number): number {
  let sum: number = LANCZOS[0]
  for (let index = 1; index < LANCZOS.length; index++)
    sum += (LANCZOS[index] ?? 0) / (x - 1 + index)
  const base = x - 0.5 + G
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(base) - base + Math.log(sum)
}
