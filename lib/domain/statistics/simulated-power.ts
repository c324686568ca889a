import { normalQuantile, tQuantile } from './distributions.ts'
import { checkDesign, detectableDifference, type PowerDesign } from './plan-power.ts'
import { type SeededGenerator, seededGenerator } from './seeded-generator.ts'
import { countPatterns, greatestCommonDivisor } from './sign-flip.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/** Parameters of simulated power. The seed is the same for every difference, so that power rises smoothly with it. */
export const POWER_SIMULATION = { rounds: 3_000, seed: 20_261_121 }

/** For more tasks the formula with t quantiles agrees within a point, without simulation. */
const MAX_SIMULATED_TASKS = 150
const MAX_SIMULATED_REPETITIONS = 100
/** Maximum simulations, and the distance in power within which linear extrapolation is used. */
const MAX_STEPS = 8
const NEAR = 0.015

/**
 * Share of simulated measurements, 0–1, in which the sign-flip test of boards and comparisons finds a true difference
 * at the design's level. Both rows are drawn from `chanceModel`, repetition by repetition.
 */
export function simulatedPower(
  difference: number,
  design: Omit<PowerDesign, 'power'>,
  { rounds, seed }: { rounds: number; seed: number } = POWER_SIMULATION,
): number {
  const { tasks, repetitionsA, repetitionsB, alpha } = design
  const draw = chanceModel(difference, design)
  const generator = seededGenerator(seed)
  const units = new Float64Array(tasks)
  // Differences of means are integer multiples of one step.
  const step = greatestCommonDivisor(repetitionsA, repetitionsB)
  const [perA, perB] = [repetitionsB / step, repetitionsA / step]
  let found = 0
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (let task = 0; task < tasks; task++) {
      const { a, b } = draw(generator)
      const unit =
        drawSolved(repetitionsA, a, generator) * perA -
        drawSolved(repetitionsB, b, generator) * perB
      units[task] = unit
      sum += unit
    }
    if (sum < 0) for (let task = 0; task < tasks; task++) units[task] = 0 - (units[task] as number)
    if (countPatterns(units) <= alpha) found++
  }
  return found / rounds
}

/**
 * Returns the smallest true difference that the design finds with the requested power by the deciding test. Starts at
 * the formula with t quantiles, simulates the power there, and moves until it is close. Refuses what the formula
 * refuses, levels that no sign-flip test over so few tasks can reach, and differences beyond 1. Takes some tenths of a
 * second for 100 tasks; results are cached.
 */
export function detectableBySimulation(
  design: PowerDesign,
  simulation = POWER_SIMULATION,
): StatisticResult<number> {
  const problem = checkDesign(design)
  if (problem) return problem
  const { tasks, alpha } = design
  if (2 ** (1 - tasks) > alpha) {
    return refuseStatistic(
      'out-of-reach',
      `No test over so few tasks (${tasks}) can reach its level.`,
    )
  }
  const difference = remember(JSON.stringify([design, simulation]), () =>
    search(design, simulation),
  )
  if (difference > 1) {
    return refuseStatistic('out-of-reach', 'No difference can be detected with so few samples.')
  }
  return statisticValue(difference)
}

const remembered = new Map<string, number>()
const MAX_REMEMBERED = 500

function remember(key: string, compute: () => number): number {
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const value = compute()
  remembered.set(key, value)
  return value
}

function search(design: PowerDesign, { rounds, seed }: typeof POWER_SIMULATION): number {
  const { tasks, alpha, power, repetitionsA, repetitionsB } = design
  const critical = tQuantile(1 - alpha / 2, tasks - 1)
  const start = formulaDifference(design, critical + tQuantile(power, tasks - 1))
  const repetitions = Math.max(repetitionsA, repetitionsB)
  if (tasks > MAX_SIMULATED_TASKS || repetitions > MAX_SIMULATED_REPETITIONS) return start
  let [low, high, difference] = [0, 1.001, Math.min(1, start)]
  for (let step = 0; step < MAX_STEPS; step++) {
    // The first step only has to be approximate.
    const runs = step === 0 ? Math.ceil(rounds / 4) : rounds
    const reached = simulatedPower(difference, design, { rounds: runs, seed })
    if (reached < power) low = difference
    else high = difference
    const inside = Math.min(1 - 1 / runs, Math.max(1 / runs, reached))
    const shortfall = Math.max(
      0.25,
      (critical + normalQuantile(inside)) / (critical + normalQuantile(power)),
    )
    const next = difference / shortfall
    difference = next > low && next < high ? next : (low + high) / 2
    if (step > 0 && Math.abs(reached - power) < NEAR) break
  }
  return difference
}

function formulaDifference(design: PowerDesign, quantiles: number): number {
  const { alpha, power } = design
  const byNormal = detectableDifference(design)
  const scale = quantiles / (normalQuantile(1 - alpha / 2) + normalQuantile(power))
  return byNormal.ok ? byNormal.value * scale : 1
}

/** Draws one task's true success probabilities for rows A and B. */
export type ChanceModel = (generator: SeededGenerator) => { a: number; b: number }

/**
 * Tasks of two rows that differ by `difference` on average, with exactly the variances of the design: probabilities are
 * Φ(h + …) of two correlated normal numbers, so that both means are symmetric around 1/2, E p(1 - p) is s² of each row
 * and the true differences vary by w². With the default variances and no difference, probabilities are uniform between
 * 0 and 1. Variances that are impossible at this difference are approximated as closely as possible.
 */
export function chanceModel(
  difference: number,
  { wSquared, sSquaredA, sSquaredB }: Pick<PowerDesign, 'wSquared' | 'sSquaredA' | 'sSquaredB'>,
): ChanceModel {
  const h = normalQuantile(0.5 + Math.min(0.999, Math.max(0, difference)) / 2)
  const [a, b] = [spreadOf(h, sSquaredA), spreadOf(-h, sSquaredB)]
  const reach = Math.sqrt(a.share * b.share)
  // E (pA - pB)² = w² + difference² gives E pA pB, and that gives their correlation.
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

/** Draws the number of successes in `trials`: inversion of the binomial distribution, one random number each. */
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

/** Spread of a row's probabilities around Φ(h) so that E p(1 - p) is s²; `share` of the variance is between tasks. */
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

/** Half-width, in standard deviations, of the lookup table for Φ, which is the slowest part. */
const REACH = 6
const CELLS_PER_UNIT = 512
const CELLS = 2 * REACH * CELLS_PER_UNIT

/** Returns the zero of an increasing function between two bounds; the nearer bound if there is none. */
function solve(rising: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (rising(middle) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** Probability that two standard normal numbers of correlation r are below h and k (Plackett 1954), to some 1e-6. */
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

/** Φ to 1.2e-7 (Chebyshev fit of erfc, Press et al.): precise enough for probabilities that are only drawn from. */
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

/** A standard normal number: one of 4,096 equally likely quantiles, which are computed once. */
export function normal({ nextUint32 }: SeededGenerator): number {
  quantiles ??= Float64Array.from({ length: QUANTILES }, (_, index) =>
    normalQuantile((index + 0.5) / QUANTILES),
  )
  return quantiles[nextUint32() >>> 20] as number
}

const QUANTILES = 2 ** 12
let quantiles: Float64Array | undefined
