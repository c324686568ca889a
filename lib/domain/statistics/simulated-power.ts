import { type Answer, answered, refused } from './answer.ts'
import { chanceModel, drawSolved } from './chance-model.ts'
import { greatestCommonDivisor } from './difference-lattice.ts'
import { exactSignFlip } from './exact-sign-flip.ts'
import { normalQuantile } from './normal-quantile.ts'
import { checkDesign, detectableDifference, type PowerDesign } from './plan-power.ts'
import { seededGenerator } from './seeded-generator.ts'
import { tQuantile } from './t-quantile.ts'

/** How a power is simulated. The same seed for every difference, so that power rises smoothly with it. */
export const POWER_SIMULATION = { rounds: 3_000, seed: 20_261_121 }

/** Beyond this the formula with t quantiles says the same within a point, at once. */
const MOST_SIMULATED_TASKS = 150
const MOST_SIMULATED_REPETITIONS = 100
/** Simulations at most, and the distance in power from which the slope carries the rest. */
const MOST_STEPS = 8
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
  // Differences of means as whole multiples of one step.
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
    if (sum !== 0 && (exactSignFlip(units) ?? 1) <= alpha) found++
  }
  return found / rounds
}

/**
 * The smallest true difference that the design finds with the wanted power by the test that decides. Starts at the
 * formula with t quantiles, measures the power there by simulation, and moves by what is missing until it is near. Refuses
 * what the formula refuses, levels that no sign-flip test over so few tasks can reach, and differences beyond 1. Takes
 * some tenths of a second for 100 tasks; answers given before are remembered.
 */
export function detectableBySimulation(
  design: PowerDesign,
  simulation = POWER_SIMULATION,
): Answer<number> {
  const problem = checkDesign(design)
  if (problem) return problem
  const { tasks, alpha } = design
  if (2 ** (1 - tasks) > alpha) {
    return refused('out-of-reach', `No test over so few tasks (${tasks}) can reach its level.`)
  }
  const difference = remember(JSON.stringify([design, simulation]), () =>
    search(design, simulation),
  )
  if (difference > 1) {
    return refused('out-of-reach', 'No difference is large enough to be found with so few samples.')
  }
  return answered(difference)
}

const remembered = new Map<string, number>()
const MOST_REMEMBERED = 500

function remember(key: string, compute: () => number): number {
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  const value = compute()
  remembered.set(key, value)
  return value
}

function search(design: PowerDesign, { rounds, seed }: typeof POWER_SIMULATION): number {
  const { tasks, alpha, power, repetitionsA, repetitionsB } = design
  const critical = tQuantile(1 - alpha / 2, tasks - 1)
  const start = formulaDifference(design, critical + tQuantile(power, tasks - 1))
  const repetitions = Math.max(repetitionsA, repetitionsB)
  if (tasks > MOST_SIMULATED_TASKS || repetitions > MOST_SIMULATED_REPETITIONS) return start
  let [low, high, difference] = [0, 1.001, Math.min(1, start)]
  for (let step = 0; step < MOST_STEPS; step++) {
    // The first step only has to come near.
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
