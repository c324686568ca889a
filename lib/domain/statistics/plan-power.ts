import { countOf } from '../text/index.ts'
import {
  binomialCumulative,
  binomialProbability,
  normalQuantile,
  tQuantile,
} from './distributions.ts'
import { boundedMeanInterval } from './intervals.ts'
import { refuseStatistic, type StatisticResult, statisticValue } from './statistic-result.ts'

/** A planned comparison of rows A and B over the same tasks. Variances are of success, 0–1 scale. */
export type PowerDesign = {
  tasks: number
  repetitionsA: number
  repetitionsB: number
  /** w²: variance over tasks of the true difference A - B. */
  wSquared: number
  /** s²: mean variance of one repetition within a task, p(1-p), for each row. */
  sSquaredA: number
  sSquaredB: number
  /** Two-sided level, and the probability of finding a real difference. */
  alpha: number
  power: number
}

/** Default assumptions: success probabilities uniform over tasks, rows correlated by a third. */
export const ASSUMED_VARIANCES = { wSquared: 1 / 9, sSquaredA: 1 / 6, sSquaredB: 1 / 6 }

/**
 * Returns the smallest true difference that the design finds with the requested power: (z_{1-alpha/2} + z_power) ·
 * sqrt((w² + sA²/KA + sB²/KB) / T). Refuses designs without tasks or repetitions.
 */
export function detectableDifference(design: PowerDesign): StatisticResult<number> {
  return (
    checkDesign(design) ?? statisticValue(zSum(design) * Math.sqrt(variance(design) / design.tasks))
  )
}

/**
 * Returns the tasks needed to find `difference`, not rounded: the same formula solved for T. `tasks` of the design is
 * not used.
 */
export function tasksNeeded(
  difference: number,
  design: Omit<PowerDesign, 'tasks'>,
): StatisticResult<number> {
  if (!(difference > 0 && difference <= 1)) {
    return refuseStatistic(
      'count-out-of-range',
      'The difference must be greater than 0 and at most 1.',
    )
  }
  const problem = checkDesign({ ...design, tasks: 1 })
  return problem ?? statisticValue((zSum(design) ** 2 * variance(design)) / difference ** 2)
}

/** With more tasks the interval is within a hundredth of the formula's. */
const MAX_BOUNDED_TASKS = 300

/**
 * Expected half width of one row's interval, for T task means spread around a half with variance v + s²/K, where v is
 * the variance of true task means. For more than some hundred tasks, uses the asymptotic t · sqrt((v + s²/K) / T).
 */
export function expectedHalfWidth(design: {
  tasks: number
  repetitions: number
  vSquared: number
  sSquared: number
  level: number
}): StatisticResult<number> {
  const { tasks, repetitions, vSquared, sSquared, level } = design
  if (Object.values(design).some((value) => !Number.isFinite(value))) {
    return refuseStatistic('not-a-number', 'The design contains an invalid number.')
  }
  if (tasks < 2 || repetitions < 1 || level <= 0 || level >= 1) {
    return refuseStatistic(
      'count-out-of-range',
      'An interval over tasks needs at least two tasks and one repetition.',
    )
  }
  const spread = Math.sqrt(Math.max(0, vSquared + sSquared / repetitions))
  if (tasks > MAX_BOUNDED_TASKS) {
    const quantile = tQuantile(0.5 + level / 2, tasks - 1)
    return statisticValue(Math.min(1, (quantile * spread) / Math.sqrt(tasks)))
  }
  const values = Array.from(
    { length: Math.floor(tasks) },
    (_, task) => 0.5 + (task % 2 === 0 ? 1 : -1) * Math.min(0.5, spread),
  )
  const { low, high } = boundedMeanInterval({ values, floor: 0, ceiling: 1 }, level)
  return statisticValue((high - low) / 2)
}

type Variances = Omit<PowerDesign, 'tasks'>

function zSum({ alpha, power }: Variances): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power)
}

function variance({
  wSquared,
  sSquaredA,
  sSquaredB,
  repetitionsA,
  repetitionsB,
}: Variances): number {
  return wSquared + sSquaredA / repetitionsA + sSquaredB / repetitionsB
}

/** Refuses designs without tasks or repetitions, and invalid numbers. */
export function checkDesign(design: PowerDesign): StatisticResult<never> | null {
  if (Object.values(design).some((value) => !Number.isFinite(value))) {
    return refuseStatistic('not-a-number', 'The design contains an invalid number.')
  }
  if (design.tasks < 1) return refuseStatistic('no-tasks', 'The design has no tasks.')
  if (design.repetitionsA < 1 || design.repetitionsB < 1) {
    return refuseStatistic('count-out-of-range', 'Each entry needs at least one repetition.')
  }
  const isChance = (value: number) => value > 0 && value < 1
  if (![design.alpha, design.power].every(isChance)) {
    return refuseStatistic('count-out-of-range', 'Level and power must be between 0 and 1.')
  }
  const variances = [design.wSquared, design.sSquaredA, design.sSquaredB]
  return variances.every((value) => value >= 0)
    ? null
    : refuseStatistic('count-out-of-range', 'A variance is negative.')
}

/** Probabilities that a task is solved by B only (`p01`) or by A only (`p10`). */
type McNemarDesign = { p10: number; p01: number; tasks: number; alpha: number }

/** Unconditional power of the exact McNemar test, 0–1: summed over every number of discordant tasks. */
export function mcNemarPower({ p10, p01, tasks, alpha }: McNemarDesign): StatisticResult<number> {
  const problem = checkMcNemarDesign({ p10, p01, tasks, alpha })
  if (problem) return problem
  const discordant = p10 + p01
  if (discordant === 0) return statisticValue(0)
  let power = 0
  for (let count = 1; count <= tasks; count++) {
    const chance = binomialProbability(count, tasks, discordant)
    const max = largestRejected(count, alpha)
    if (chance < 1e-18 || max < 0) continue
    const split = p01 / discordant
    power +=
      chance * (binomialCumulative(max, count, split) + binomialCumulative(max, count, 1 - split))
  }
  return statisticValue(Math.min(1, power))
}

/**
 * Returns the smallest true difference that one repetition per task finds with the requested power by the exact test.
 * The discordant share follows from the variances: E d² = w² + sA² + sB² + difference². Refuses designs in which no
 * difference is large enough.
 */
export function detectableByMcNemar(design: {
  tasks: number
  wSquared: number
  sSquaredA: number
  sSquaredB: number
  alpha: number
  power: number
}): StatisticResult<number> {
  const { tasks, alpha, power } = design
  const noise = design.wSquared + design.sSquaredA + design.sSquaredB
  const powerAt = (difference: number) => {
    const discordant = Math.min(1, Math.max(difference, noise + difference ** 2))
    return mcNemarPower({
      p10: (discordant - difference) / 2,
      p01: (discordant + difference) / 2,
      tasks,
      alpha,
    })
  }
  const most = powerAt(1)
  if (!most.ok) return most
  if (!(most.value >= power)) {
    return refuseStatistic(
      'out-of-reach',
      `With ${countOf(tasks, 'task')} and one repetition no difference reaches this power.`,
    )
  }
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    const reached = powerAt(middle)
    if (reached.ok && reached.value >= power) high = middle
    else low = middle
  }
  return statisticValue(high)
}

/** Returns the largest smaller side that the exact test rejects among `count` discordant tasks; -1 = none. */
function largestRejected(count: number, alpha: number): number {
  let [low, high] = [-1, Math.floor((count - 1) / 2)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (2 * binomialCumulative(middle, count, 0.5) <= alpha) low = middle
    else high = middle - 1
  }
  return low
}

function checkMcNemarDesign({
  p10,
  p01,
  tasks,
  alpha,
}: McNemarDesign): StatisticResult<never> | null {
  if ([p10, p01, tasks, alpha].some((value) => !Number.isFinite(value))) {
    return refuseStatistic('not-a-number', 'The design contains an invalid number.')
  }
  if (tasks < 1) return refuseStatistic('no-tasks', 'The design has no tasks.')
  const isChance = p10 >= 0 && p01 >= 0 && p10 + p01 <= 1 + 1e-12 && alpha > 0 && alpha < 1
  return isChance
    ? null
    : refuseStatistic('count-out-of-range', 'The design contains invalid probabilities.')
}
