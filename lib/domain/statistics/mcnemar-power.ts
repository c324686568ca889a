import { type Answer, answered, refused } from './answer.ts'
import { binomialCumulative, binomialProbability } from './binomial.ts'

/** Chances that a task is solved by B only (`p01`) or by A only (`p10`). */
export type McNemarDesign = { p10: number; p01: number; tasks: number; alpha: number }

/** Unconditional power of the exact McNemar test, 0–1: summed over every number of discordant tasks. */
export function mcNemarPower({ p10, p01, tasks, alpha }: McNemarDesign): Answer<number> {
  const problem = checkDesign({ p10, p01, tasks, alpha })
  if (problem) return problem
  const discordant = p10 + p01
  if (discordant === 0) return answered(0)
  let power = 0
  for (let count = 1; count <= tasks; count++) {
    const chance = binomialProbability(count, tasks, discordant)
    const most = largestRejected(count, alpha)
    if (chance < 1e-18 || most < 0) continue
    const split = p01 / discordant
    power +=
      chance * (binomialCumulative(most, count, split) + binomialCumulative(most, count, 1 - split))
  }
  return answered(Math.min(1, power))
}

/**
 * The smallest true difference that one repetition per task finds with the wanted power by the exact test. The
 * discordant share follows from the variances: E d² = w² + sA² + sB² + difference². Refuses what no difference reaches.
 */
export function detectableByMcNemar(design: {
  tasks: number
  wSquared: number
  sSquaredA: number
  sSquaredB: number
  alpha: number
  power: number
}): Answer<number> {
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
    return refused(
      'out-of-reach',
      `With ${tasks} tasks and one repetition no difference reaches this power.`,
    )
  }
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    const reached = powerAt(middle)
    if (reached.ok && reached.value >= power) high = middle
    else low = middle
  }
  return answered(high)
}

/** The largest smaller side that the exact test rejects among `count` discordant tasks; -1 when none. */
function largestRejected(count: number, alpha: number): number {
  let [low, high] = [-1, Math.floor((count - 1) / 2)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (2 * binomialCumulative(middle, count, 0.5) <= alpha) low = middle
    else high = middle - 1
  }
  return low
}

function checkDesign({ p10, p01, tasks, alpha }: McNemarDesign): Answer<never> | null {
  if ([p10, p01, tasks, alpha].some((value) => !Number.isFinite(value))) {
    return refused('not-a-number', 'A number of the design is none.')
  }
  if (tasks < 1) return refused('no-tasks', 'The design has no tasks.')
  const isChance = p10 >= 0 && p01 >= 0 && p10 + p01 <= 1 + 1e-12 && alpha > 0 && alpha < 1
  return isChance ? null : refused('count-out-of-range', 'The chances of the design cannot be.')
}
