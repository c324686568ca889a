import { normalQuantile } from './normal-quantile.ts'
import type { PowerDesign } from './plan-power.ts'
import type { SeededGenerator } from './seeded-generator.ts'

/** Draws one task's true chances of success for rows A and B. */
export type ChanceModel = (generator: SeededGenerator) => { a: number; b: number }

/**
 * Tasks of two rows that differ by `difference` on average, with exactly the variances of the design: chances are
 * Φ(h + …) of two correlated normal numbers, so that both mean chances lie evenly around 1/2, E p(1 - p) is s² of each
 * row and the true differences vary by w². With the default variances and no difference, chances are even between 0 and
 * 1. Variances that no chances can have at this difference are taken as near as they can be.
 */
export function chanceModel(
  difference: number,
  { wSquared, sSquaredA, sSquaredB }: Pick<PowerDesign, 'wSquared' | 'sSquaredA' | 'sSquaredB'>,
): ChanceModel {
  const h = normalQuantile(0.5 + Math.min(0.999, Math.max(0, difference)) / 2)
  const [a, b] = [spreadOf(h, sSquaredA), spreadOf(-h, sSquaredB)]
  const reach = Math.sqrt(a.share * b.share)
  // E (pA - pB)² = w² + difference² says how large E pA pB is, and that how the two go together.
  const product = (a.square + b.square - wSquared - difference ** 2) / 2
  const joint = reach === 0 ? 0 : solve((r) => bivariate(h, -h, r) - product, -reach, reach)
  const correlation = reach === 0 ? 0 : joint / reach
  const rest = Math.sqrt(Math.max(0, 1 - correlation ** 2))
  return (generator) => {
    const [x, z] = [normal(generator), normal(generator)]
    const y = correlation * x + rest * z
    return { a: a.chance(x), b: b.chance(y) }
  }
}

/** How many of `trials` succeed: inversion of the binomial distribution, one random number each. */
export function drawSolved(trials: number, chance: number, { nextUnit }: SeededGenerator): number {
  const isHigh = chance > 0.5
  const p = isHigh ? 1 - chance : chance
  let left = nextUnit()
  let mass = (1 - p) ** trials
  let count = 0
  while (left >= mass && count < trials) {
    left -= mass
    count++
    mass *= ((trials - count + 1) / count) * (p / (1 - p))
  }
  return isHigh ? trials - count : count
}

/** How a row's chances spread around Φ(h) so that E p(1 - p) is s²; `share` of the variance lies between tasks. */
function spreadOf(h: number, sSquared: number) {
  const mean = normalCumulative(h)
  // E p² = Φ₂(h, h; share), which grows from mean² to mean.
  const share = solve((r) => bivariate(h, h, r) - (mean - sSquared), 0, 0.9999)
  const [between, within] = [Math.sqrt(share), Math.sqrt(1 - share)]
  const chances = Float64Array.from({ length: CELLS + 1 }, (_, cell) =>
    normalCumulative((h + between * (cell / CELLS_PER_UNIT - REACH)) / within),
  )
  const chance = (x: number) => {
    const cell = Math.round((x + REACH) * CELLS_PER_UNIT)
    return chances[Math.min(CELLS, Math.max(0, cell))] as number
  }
  return { share, square: bivariate(h, h, share), chance }
}

/** Chances are looked up in a table over this many standard deviations to each side: nothing is as slow as Φ. */
const REACH = 6
const CELLS_PER_UNIT = 512
const CELLS = 2 * REACH * CELLS_PER_UNIT

/** Where a rising function passes zero within two bounds; the nearer bound where it does not. */
function solve(rising: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (rising(middle) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** Chance that two standard normal numbers of correlation r lie below h and k (Plackett 1954), to some 1e-6. */
function bivariate(h: number, k: number, r: number): number {
  const steps = 64
  const angle = Math.asin(r)
  let sum = 0
  for (let step = 0; step < steps; step++) {
    const sine = Math.sin((angle * (step + 0.5)) / steps)
    sum += Math.exp(-(h * h + k * k - 2 * h * k * sine) / (2 * (1 - sine * sine)))
  }
  return normalCumulative(h) * normalCumulative(k) + (sum * angle) / steps / (2 * Math.PI)
}

/** Φ to 1.2e-7 (Chebyshev fit of erfc, Press et al.): enough for chances that are only drawn from. */
export function normalCumulative(x: number): number {
  const size = Math.abs(x) / Math.SQRT2
  const t = 1 / (1 + size / 2)
  const tail = ERFC.reduceRight((sum, coefficient) => coefficient + t * sum, 0)
  const upper = (t * Math.exp(-size * size + tail)) / 2
  return x > 0 ? 1 - upper : upper
}

const ERFC = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
]

/** A standard normal number: one of 4,096 equally likely quantiles, which are made once. */
export function normal({ nextUint32 }: SeededGenerator): number {
  quantiles ??= Float64Array.from({ length: QUANTILES }, (_, index) =>
    normalQuantile((index + 0.5) / QUANTILES),
  )
  return quantiles[nextUint32() >>> 20] as number
}

const QUANTILES = 2 ** 12
let quantiles: Float64Array | undefined
