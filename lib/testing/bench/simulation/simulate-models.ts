import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import { normal } from '../../../domain/statistics/simulated-power.ts'
import { type EffectRow, modelRates } from '../../../domain/statistics/task-effects.ts'

type Chances = (generator: SeededGenerator, rows: number, tasks: number) => number[][]

const logistic = (value: number) => 1 / (1 + Math.exp(-value))

/** Log odds = ability + easiness + noise of each pair of row and task, with these standard deviations. */
const logOdds =
  (ability: number, easiness: number, noise: number, mean = 0): Chances =>
  (generator, rows, tasks) => {
    const tasksEasiness = Array.from({ length: tasks }, () => easiness * normal(generator))
    return Array.from({ length: rows }, () => {
      const own = mean + ability * normal(generator)
      return tasksEasiness.map((value) => logistic(own + value + noise * normal(generator)))
    })
  }

const MODEL_WORLDS = {
  model: { title: 'abilities and easiness add up', draw: logOdds(1, 1.5, 0) },
  interaction: { title: 'each entry has tasks of its own', draw: logOdds(1, 1.5, 1.2) },
  strong: { title: 'nearly everything is solved', draw: logOdds(1, 1.5, 0, 2.5) },
  coins: {
    title: 'each entry solves tasks always or never, at random',
    draw: ({ nextUnit }, rows, tasks) =>
      Array.from({ length: rows }, () => {
        const rate = 0.3 + 0.6 * nextUnit()
        return Array.from({ length: tasks }, () => (nextUnit() < rate ? 1 : 0))
      }),
  },
} satisfies Record<string, { title: string; draw: Chances }>

type ModelDesign = {
  world: keyof typeof MODEL_WORLDS
  rows: number
  tasks: number
  /** Tasks that every second row runs; the others run all. */
  subset: number
  repetitions: number
  rounds: number
}

const SIZES = [
  { rows: 6, tasks: 25, subset: 10, repetitions: 3 },
  { rows: 6, tasks: 25, subset: 10, repetitions: 1 },
  { rows: 12, tasks: 50, subset: 20, repetitions: 3 },
]

export const MODEL_DESIGNS: readonly ModelDesign[] = SIZES.flatMap((size) =>
  (Object.keys(MODEL_WORLDS) as (keyof typeof MODEL_WORLDS)[]).map((world) => ({
    ...size,
    world,
    rounds: 200,
  })),
)

const SEED = 9001

/** Plays rows of which every second one runs a part of the tasks. `coverage`: share of their intervals with the true rate. */
export function simulateModels(design: ModelDesign) {
  const { world, rows, tasks, rounds } = design
  const { title, draw } = MODEL_WORLDS[world]
  const generator = seededGenerator(SEED)
  const names = Array.from({ length: tasks }, (_, task) => String(task))
  const counts = { intervals: 0, covered: 0, width: 0 }
  for (let round = 0; round < rounds; round++) {
    const chances = draw(generator, rows, tasks)
    const played = chances.map((own, row) => play(generator, own, row, design))
    modelRates(played, names).forEach((modelled, row) => {
      if (modelled === null || modelled.predicted === 0) return
      const rate = (chances[row] ?? []).reduce((sum, chance) => sum + chance, 0) / tasks
      counts.intervals++
      counts.width += modelled.high - modelled.low
      if (modelled.low <= rate && rate <= modelled.high) counts.covered++
    })
  }
  const share = (value: number) => Number((value / counts.intervals).toFixed(4))
  return { title, coverage: share(counts.covered), width: share(counts.width) }
}

function play(
  { nextUnit }: SeededGenerator,
  chances: readonly number[],
  row: number,
  { tasks, subset, repetitions }: ModelDesign,
): EffectRow {
  const first = row % 2 === 0 ? 0 : (row * 3) % tasks
  const length = row % 2 === 0 ? tasks : subset
  const own = Array.from({ length }, (_, at) => (first + at) % tasks)
  return new Map(
    own.map((task) => {
      const tries = Array.from({ length: repetitions }, () => nextUnit() < (chances[task] ?? 0))
      return [String(task), { scored: repetitions, solved: tries.filter(Boolean).length }]
    }),
  )
}
