import { COMPARISON_ALPHA, pairedDifference } from './paired-difference.ts'
import { seededGenerator } from './seeded-generator.ts'
import {
  COVERAGE_DESIGN,
  coverageCount,
  drawTally,
  keptDigits,
  type SampleSize,
} from './simulate-coverage.ts'
import { SIMULATED_POPULATION } from './simulate-intervals.ts'
import { populationChances, type TaskPopulation } from './task-populations.ts'

/** Mean success of row A and of row B; equal means are equal rows. */
const MEANS: readonly [a: number, b: number][] = [
  [0.05, 0.05],
  [0.5, 0.5],
  [0.8, 0.9],
  [0.9, 0.97],
  [0.97, 0.97],
]

/** What `npm run simulate` tries for two rows on the same tasks. */
export const DIFFERENCE_DESIGN = {
  ...COVERAGE_DESIGN,
  alpha: COMPARISON_ALPHA,
  /** Chance that a task stands at the same place of both rows' order of difficulty; else drawn apart. */
  shared: SIMULATED_POPULATION.shared,
  means: MEANS,
  sizes: COVERAGE_DESIGN.sizes,
}

/** What the interval of A − B held; lists follow the means. `falsePositive`: equal rows called different, else null. */
export type DifferenceRow = SampleSize & {
  population: string
  coverage: number[]
  width: number[]
  falsePositive: (number | null)[]
}

/** Measures the paired interval and test for one size and population. */
export function simulateDifferences(
  size: SampleSize,
  population: TaskPopulation,
  design = DIFFERENCE_DESIGN,
): DifferenceRow {
  const cells = design.means.map(([a, b]) => simulateCell(size, { population, a, b }, design))
  return {
    ...size,
    population,
    coverage: cells.map(({ coverage }) => coverage),
    width: cells.map(({ width }) => width),
    falsePositive: cells.map(({ falsePositive }) => falsePositive),
  }
}

function simulateCell(
  { tasks, repetitions }: SampleSize,
  { population, a, b }: { population: TaskPopulation; a: number; b: number },
  { rounds, seed, shared, alpha }: typeof DIFFERENCE_DESIGN,
) {
  const generator = seededGenerator(seed)
  const [left, right] = [populationChances(population, a), populationChances(population, b)]
  const truth = left.reduce((sum, chance, task) => sum + chance - (right[task] as number), 0)
  const count = coverageCount()
  let separated = 0
  for (let round = 0; round < rounds; round++) {
    const pairs = Array.from({ length: tasks }, (_, task) => {
      const place = generator.nextBelow(left.length)
      const other = generator.nextUnit() < shared ? place : generator.nextBelow(left.length)
      return {
        a: drawTally(task, left[place] as number, repetitions, generator),
        b: drawTally(task, right[other] as number, repetitions, generator),
      }
    })
    const compared = pairedDifference(
      pairs.map((pair) => pair.a),
      pairs.map((pair) => pair.b),
      alpha,
    )
    if (!compared.ok) throw new Error(compared.refusal.reason)
    count.add(compared.value, truth / left.length)
    if (compared.value.p <= alpha) separated++
  }
  return { ...count.result(), falsePositive: a === b ? keptDigits(separated / rounds) : null }
}
