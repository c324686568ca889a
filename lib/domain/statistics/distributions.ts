type Ratio = { top: readonly number[]; bottom: readonly number[] }

const CENTRE: Ratio = {
  top: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  bottom: [
    5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
}
const MIDDLE: Ratio = {
  top: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
    3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  bottom: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
    0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
  ],
}
const TAIL: Ratio = {
  top: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
    0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  bottom: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
    0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
  ],
}

/** Standard normal quantile at p in (0, 1): Wichura's AS 241 (PPND16), relative error about 1e-16. */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * evaluate(CENTRE, 0.180625 - q * q)
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const size = r <= 5 ? evaluate(MIDDLE, r - 1.6) : evaluate(TAIL, r - 5)
  return q < 0 ? -size : size
}

function evaluate({ top, bottom }: Ratio, x: number): number {
  return polynomial(top, x) / polynomial(bottom, x)
}

/** Horner's method, highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((value, coefficient) => value * x + coefficient, 0)
}

/** Above this, t and normal quantiles differ by less than 1e-7 of their value. */
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

/**
 * Returns x with I_x(a, b) = p, for a, b > 0 and p in [0, 1]. Bisects until no double is between the bounds: slow (some
 * 60 evaluations), but as exact as the distribution function itself.
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

const TINY = 1e-300
const ENOUGH = 1e-16
const MAX_TERMS = 100_000

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
  for (let m = 1; m <= MAX_TERMS; m++) {
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
function logGamma(x: number): number {
  let sum: number = LANCZOS[0]
  for (let index = 1; index < LANCZOS.length; index++)
    sum += (LANCZOS[index] ?? 0) / (x - 1 + index)
  const base = x - 0.5 + G
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(base) - base + Math.log(sum)
}

/** Accepted relative error of a tail: finer than the rounding of bounds. */
const CLOSE = 2e-13
const MAX_STEPS = 200

/**
 * Returns q in 0 … `most` at which `chance` reaches `tail`, 0 < tail < 1. `chance` is a cumulative probability that
 * rises continuously from 0 at 0 to 1 at `most`. Uses regula falsi (Illinois) on the logarithm: some ten evaluations.
 */
export function tailQuantile(chance: (q: number) => number, tail: number, max: number): number {
  const below = { at: 0, distance: Number.NEGATIVE_INFINITY }
  const above = { at: max, distance: -Math.log(tail) }
  let last = above
  for (let step = 0; step < MAX_STEPS; step++) {
    if (above.at - below.at <= Number.EPSILON * above.at) break
    const at = between(below, above)
    const distance = Math.log(chance(at) / tail)
    if (Math.abs(distance) < CLOSE) return at
    const [moved, other] = distance < 0 ? [below, above] : [above, below]
    moved.at = at
    moved.distance = distance
    // The same end moved twice: halving the other's distance makes the next guess overshoot.
    if (moved === last) other.distance /= 2
    last = moved
  }
  return below.at
}

type End = { at: number; distance: number }

function between(below: End, above: End): number {
  const guess =
    (below.at * above.distance - above.at * below.distance) / (above.distance - below.distance)
  return guess > below.at && guess < above.at ? guess : (below.at + above.at) / 2
}

/** Describes `quantile` for pages. */
export const QUANTILE_METHOD =
  'quantile by linear interpolation between order statistics; no interval'

/** Returns the p-quantile of a sample by linear interpolation (Hyndman and Fan type 7); null for an empty sample. */
export function sampleQuantile(sample: readonly number[], p: number): number | null {
  return sampleQuantiles(sample)(p)
}

/** Returns a function for several quantiles of one sample, which is sorted once. */
export function sampleQuantiles(sample: readonly number[]): (p: number) => number | null {
  // Faster than `Float64Array.from`, which reads a list one by one.
  const sorted = new Float64Array(sample).sort()
  return (p) => {
    if (sorted.length === 0) return null
    const position = p * (sorted.length - 1)
    const below = sorted[Math.floor(position)] as number
    const above = sorted[Math.ceil(position)] as number
    return below + (above - below) * (position - Math.floor(position))
  }
}

/** Returns the smallest member with at least a share p of the sample at or below it; works with infinities. */
export function nearestRank(sample: readonly number[], p: number): number {
  return rankOfSorted(Float64Array.from(sample).sort(), p)
}

/** The same for a sorted sample. */
export function rankOfSorted(sorted: Float64Array, p: number): number {
  const position = Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1)
  return sorted[position] ?? Number.NaN
}
