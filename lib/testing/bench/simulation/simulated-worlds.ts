import { normalQuantile } from '../../../domain/statistics/distributions.ts'
import { ASSUMED_VARIANCES } from '../../../domain/statistics/plan-power.ts'
import type { SeededGenerator } from '../../../domain/statistics/seeded-generator.ts'
import {
  chanceModel,
  normal,
  normalCumulative,
} from '../../../domain/statistics/simulated-power.ts'

/** True success probabilities of entries a and b for one task. */
export type Chances = { a: number; b: number }

/**
 * Draws the tasks of two entries. `shock`: standard deviation, in probits, of the difficulty that a round of
 * repetitions adds for both.
 */
export type SimulatedWorld = {
  title: string
  /** True success rate of both entries over the population; absent = they differ, or the tasks are fixed. */
  mean?: number
  /** Number of consecutive tasks that are alike; absent = 1. */
  family?: number
  draw: (generator: SeededGenerator, tasks: number) => Chances[]
  shock?: number
}

const each = (tasks: number, of: (task: number) => Chances) =>
  Array.from({ length: tasks }, (_, task) => of(task))

/** Success probabilities between .1 and .7, and the same with a constant effect of one entry. */
const arms =
  (effect: number): SimulatedWorld['draw'] =>
  ({ nextUnit }, tasks) =>
    each(tasks, () => {
      const b = 0.1 + 0.6 * nextUnit()
      return { a: b + effect, b }
    })

const drawn = (difference: number): SimulatedWorld['draw'] => {
  const model = chanceModel(difference, ASSUMED_VARIANCES)
  return (generator, tasks) => each(tasks, () => model(generator))
}

/** Five similar tasks per family. */
const FAMILY = 5
const families = (): SimulatedWorld['draw'] => {
  const model = chanceModel(0, ASSUMED_VARIANCES)
  return (generator, tasks) => {
    let own: Chances = { a: 0, b: 0 }
    return each(tasks, (task) => {
      if (task % FAMILY === 0) own = model(generator)
      return own
    })
  }
}

/** Populations of tasks in which two entries are equal on average, or differ by 20 points. */
export const SIMULATED_WORLDS = {
  equal: { title: 'equal arms', mean: 0.4, draw: arms(0) },
  better: { title: 'one arm 20 points better', draw: arms(0.2) },
  drawn: { title: 'chances drawn apart, equal on average', mean: 0.5, draw: drawn(0) },
  'drawn-better': { title: 'chances drawn apart, 20 points better', draw: drawn(0.2) },
  shape: {
    title: 'equal means of unequal shape',
    draw: (_, tasks) => each(tasks, (task) => ({ a: 1 - 1 / tasks, b: task === 0 ? 0 : 1 })),
  },
  rare: {
    title: '97 % on every task against 97 % of tasks always',
    mean: 0.97,
    draw: ({ nextUnit }, tasks) => each(tasks, () => ({ a: 0.97, b: nextUnit() < 0.03 ? 0 : 1 })),
  },
  families: { title: 'families of five alike tasks', mean: 0.5, family: FAMILY, draw: families() },
  shocks: { title: 'rounds with a common shock', draw: arms(0), shock: 1 },
  coins: {
    title: 'every chance 50 %',
    mean: 0.5,
    draw: (_, tasks) => each(tasks, () => ({ a: 0.5, b: 0.5 })),
  },
} satisfies Record<string, SimulatedWorld>
export type WorldName = keyof typeof SIMULATED_WORLDS

export function worldOf(name: WorldName): SimulatedWorld {
  return SIMULATED_WORLDS[name]
}

/** A success probability after a shock of this many probits. */
export function shocked(chance: number, probits: number): number {
  if (probits === 0 || chance <= 0 || chance >= 1) return chance
  return normalCumulative(normalQuantile(chance) + probits)
}

/** Draws a standard normal shock for each round; zeros if the world has no shocks. */
export function drawShocks(world: SimulatedWorld, rounds: number, generator: SeededGenerator) {
  const { shock = 0 } = world
  return Array.from({ length: rounds }, () => (shock === 0 ? 0 : shock * normal(generator)))
}
