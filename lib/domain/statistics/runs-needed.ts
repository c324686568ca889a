import { normalQuantile, tQuantile } from './distributions.ts'
import { detectableDifference, type PowerDesign, tasksNeeded } from './plan-power.ts'
import { POWER_SIMULATION, simulatedPower } from './simulated-power.ts'
import { type StatisticResult, statisticValue } from './statistic-result.ts'

/** For more tasks the formula is used, and further repetitions are not suggested: both take long to simulate. */
const MAX_SIMULATED_TASKS = 150
export const MAX_NEEDED_REPETITIONS = 100

/** Ratio of the formula with t quantiles to that with normal ones. */
export function fewTasksFactor(
  tasks: number,
  { alpha, power }: Pick<PowerDesign, 'alpha' | 'power'>,
): number {
  const byT = tQuantile(1 - alpha / 2, tasks - 1) + tQuantile(power, tasks - 1)
  return byT / (normalQuantile(1 - alpha / 2) + normalQuantile(power))
}

/**
 * Returns the tasks needed to find `difference`, an integer, by the formula with t quantiles; at least as many as a
 * sign-flip test needs to reach its level at all. Refuses what `tasksNeeded` refuses.
 */
export function wholeTasksNeeded(
  difference: number,
  design: Omit<PowerDesign, 'tasks'>,
): StatisticResult<number> {
  const needed = tasksNeeded(difference, design)
  if (!needed.ok) return needed
  const min = Math.max(2, Math.ceil(1 - Math.log2(design.alpha)))
  let tasks = Math.max(min, Math.ceil(needed.value))
  for (let step = 0; step < 5; step++)
    tasks = Math.max(min, Math.ceil(needed.value * fewTasksFactor(tasks, design) ** 2))
  return statisticValue(tasks)
}

/**
 * Returns the fewest repetitions of each task by each side, more than `present`, with which the deciding test finds
 * `difference` with the requested power; null = more than a hundred. Simulated with a third of the usual rounds;
 * `isRough`: by the formula with t quantiles, without simulation.
 */
export function repetitionsNeeded(
  difference: number,
  design: Omit<PowerDesign, 'repetitionsA' | 'repetitionsB'>,
  present: number,
  isRough = false,
): number | null {
  if (2 ** (1 - design.tasks) > design.alpha) return null
  let [low, high] = [present + 1, MAX_NEEDED_REPETITIONS]
  if (low > high || !isFound(difference, design, high, isRough)) return null
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isFound(difference, design, middle, isRough)) high = middle
    else low = middle + 1
  }
  return low
}

function isFound(
  difference: number,
  design: Omit<PowerDesign, 'repetitionsA' | 'repetitionsB'>,
  repetitions: number,
  isRough: boolean,
): boolean {
  const sized = { ...design, repetitionsA: repetitions, repetitionsB: repetitions }
  if (!isRough && design.tasks <= MAX_SIMULATED_TASKS) {
    const { rounds, seed } = POWER_SIMULATION
    return simulatedPower(difference, sized, { rounds: rounds / 3, seed }) >= design.power
  }
  const found = detectableDifference(sized)
  return found.ok && found.value * fewTasksFactor(design.tasks, design) <= difference
}
