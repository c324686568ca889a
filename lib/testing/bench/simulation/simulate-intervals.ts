import {
  SIMULATED_POPULATION,
  type TaskPopulation,
} from '../../../domain/reports/methodology/simulation-goals.ts'
import { betaQuantile, normalQuantile } from '../../../domain/statistics/distributions.ts'
import { COMPARISON_ALPHA, pairedDifference } from '../../../domain/statistics/paired-difference.ts'
import { rowInterval } from '../../../domain/statistics/row-interval.ts'
import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import { signFlip } from '../../../domain/statistics/sign-flip.ts'
import type { TaskCounts } from '../../../domain/statistics/task-counts.ts'
import {
  COVERAGE_DESIGN,
  coverageCount,
  drawTaskCounts,
  populationChances,
  roundStored,
  type SampleSize,
} from './simulate-coverage.ts'

type SimulationDesign = { tasks: number; repetitions: number; rounds: number; seed: number }

/** Shares of rounds, 0–1: intervals that cover the true value, and equal rows that were called different. */
type SimulationResult = {
  tasks: number
  repetitions: number
  clusteredCoverage: number
  pooledCoverage: number
  clusteredSeparation: number
  pooledSeparation: number
}

/** The table of the methodology page, computed by `npm run simulate`. */
export const SIMULATION_DESIGNS: readonly SimulationDesign[] = [
  { tasks: 25, repetitions: 10, rounds: 10_000, seed: 2026 },
  { tasks: 25, repetitions: 20, rounds: 10_000, seed: 2026 },
  { tasks: 100, repetitions: 5, rounds: 10_000, seed: 2026 },
]

/**
 * Measures the coverage and error rate of our intervals and tests by simulation, beside the pooled method that treats
 * tasks × repetitions as independent. Rows A and B come from the same population, so every separation is false.
 */
export function simulateIntervals(design: SimulationDesign): SimulationResult {
  const generator = seededGenerator(design.seed)
  const { tasks: size, shape } = SIMULATED_POPULATION
  const population = Array.from({ length: size }, (_, index) =>
    betaQuantile((index + 0.5) / size, shape, shape),
  )
  const hits = {
    clusteredCoverage: 0,
    pooledCoverage: 0,
    clusteredSeparation: 0,
    pooledSeparation: 0,
  }
  for (let round = 0; round < design.rounds; round++) {
    const { a, b } = drawRows(design, population, generator)
    const interval = rowInterval(a)
    if (interval.ok && interval.value.low <= 0.5 && interval.value.high >= 0.5)
      hits.clusteredCoverage++
    if (pooledCovers(a)) hits.pooledCoverage++
    if (signFlip(a, b).p <= 0.05) hits.clusteredSeparation++
    if (pooledSeparates(a, b)) hits.pooledSeparation++
  }
  const share = (count: number) => count / design.rounds
  return {
    tasks: design.tasks,
    repetitions: design.repetitions,
    clusteredCoverage: share(hits.clusteredCoverage),
    pooledCoverage: share(hits.pooledCoverage),
    clusteredSeparation: share(hits.clusteredSeparation),
    pooledSeparation: share(hits.pooledSeparation),
  }
}

function drawRows(
  design: SimulationDesign,
  population: readonly number[],
  generator: SeededGenerator,
) {
  const drawChance = () => population[generator.nextBelow(population.length)] as number
  const drawTally = (task: number, chance: number): TaskCounts => {
    let solved = 0
    for (let trial = 0; trial < design.repetitions; trial++)
      if (generator.nextUnit() < chance) solved++
    return { taskId: String(task).padStart(6, '0'), solved, scored: design.repetitions }
  }
  const a: TaskCounts[] = []
  const b: TaskCounts[] = []
  for (let task = 0; task < design.tasks; task++) {
    const chance = drawChance()
    a.push(drawTally(task, chance))
    b.push(
      drawTally(task, generator.nextUnit() < SIMULATED_POPULATION.shared ? chance : drawChance()),
    )
  }
  return { a, b }
}

function pooled(row: readonly TaskCounts[]): { rate: number; variance: number } {
  const scored = row.reduce((sum, task) => sum + task.scored, 0)
  const rate = row.reduce((sum, task) => sum + task.solved, 0) / scored
  return { rate, variance: (rate * (1 - rate)) / scored }
}

function pooledCovers(row: readonly TaskCounts[]): boolean {
  const { rate, variance } = pooled(row)
  return Math.abs(rate - 0.5) <= normalQuantile(0.975) * Math.sqrt(variance)
}

function pooledSeparates(a: readonly TaskCounts[], b: readonly TaskCounts[]): boolean {
  const [left, right] = [pooled(a), pooled(b)]
  const error = Math.sqrt(left.variance + right.variance)
  return Math.abs(left.rate - right.rate) > normalQuantile(0.975) * error
}

/** True success rates of row A and row B. */
const MEANS: readonly [a: number, b: number][] = [
  [0.05, 0.05],
  [0.5, 0.5],
  [0.8, 0.9],
  [0.9, 0.97],
  [0.97, 0.97],
]

/** The designs of `npm run simulate` for two rows on the same tasks. */
export const DIFFERENCE_DESIGN = {
  ...COVERAGE_DESIGN,
  alpha: COMPARISON_ALPHA,
  /** Probability that a task has the same difficulty rank for both rows; otherwise the ranks are independent. */
  shared: SIMULATED_POPULATION.shared,
  means: MEANS,
  sizes: COVERAGE_DESIGN.sizes,
}

/** Measured coverage of the interval of A − B; lists are parallel to the means. `falsePositive`: equal rows called different, else null. */
type DifferenceRow = SampleSize & {
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
        a: drawTaskCounts(task, left[place] as number, repetitions, generator),
        b: drawTaskCounts(task, right[other] as number, repetitions, generator),
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
  return { ...count.result(), falsePositive: a === b ? roundStored(separated / rounds) : null }
}
