import type { TaskPopulation } from '../../../domain/reports/methodology/simulation-goals.ts'
import { betaQuantile, tQuantile } from '../../../domain/statistics/distributions.ts'
import { clusteredStandardError, rowInterval } from '../../../domain/statistics/row-interval.ts'
import {
  type SeededGenerator,
  seededGenerator,
} from '../../../domain/statistics/seeded-generator.ts'
import type { TaskCounts } from '../../../domain/statistics/task-counts.ts'

export type SampleSize = { tasks: number; repetitions: number }

/** Success chances of tasks of one mean, by the rank `u` (0–1) of the task; the populations that are hard for an interval. */
const TASK_POPULATIONS: Record<TaskPopulation, (u: number, mean: number) => number> = {
  'u-shaped': (u, mean) => betaQuantile(u, 1.2 * mean, 1.2 * (1 - mean)),
  mild: (u, mean) => betaQuantile(u, 8 * mean, 8 * (1 - mean)),
  certain: (u, mean) => (u < 1 - mean ? 0 : 1),
  'rare-hard': rareHard,
  'rare-easy': (u, mean) => 1 - rareHard(1 - u, 1 - mean),
  equal: (_, mean) => mean,
}

/** The cells of `npm run simulate`; each restarts from the seed. `goal` 0–1. */
export const COVERAGE_DESIGN = {
  rounds: 2000,
  seed: 2026,
  goal: 0.94,
  means: [0.05, 0.2, 0.5, 0.8, 0.9, 0.97],
  populations: Object.keys(TASK_POPULATIONS) as TaskPopulation[],
  sizes: sizes([12, 20], [18, 10], [25, 3], [25, 10], [40, 1], [100, 5]),
  /** Below the minimum number of tasks: shown without a goal. */
  fewSizes: sizes([5, 20], [8, 10]),
}

/**
 * Measured coverage for one size and population; lists are parallel to the means. Coverage 0–1, mean widths 0–1.
 * `t` is the textbook interval, mean ± t·sd/√T, for comparison.
 */
type CoverageRow = SampleSize & {
  population: string
  coverage: number[]
  width: number[]
  theseTasksCoverage: number[]
  theseTasksWidth: number[]
  tCoverage: number[]
  tWidth: number[]
}

/** Measures both row intervals in every cell of one size and population: `TASK_POPULATIONS` × means. */
export function simulateCoverage(
  size: SampleSize,
  population: TaskPopulation,
  { means, rounds, seed } = COVERAGE_DESIGN,
): CoverageRow {
  const cells = means.map((mean) => simulateCell(size, population, { mean, rounds, seed }))
  return {
    ...size,
    population,
    coverage: cells.map(({ like }) => like.coverage),
    width: cells.map(({ like }) => like.width),
    theseTasksCoverage: cells.map(({ these }) => these.coverage),
    theseTasksWidth: cells.map(({ these }) => these.width),
    tCoverage: cells.map(({ t }) => t.coverage),
    tWidth: cells.map(({ t }) => t.width),
  }
}

/** Rounded to the precision that the number of rounds supports. */
export function roundStored(value: number): number {
  return Number(value.toFixed(4))
}

/** Draws `tasks` chances and, for each, the successes of that many repetitions. */
export function drawTaskCounts(
  task: number,
  chance: number,
  repetitions: number,
  generator: SeededGenerator,
): TaskCounts {
  let solved = 0
  for (let trial = 0; trial < repetitions; trial++) if (generator.nextUnit() < chance) solved++
  return { taskId: String(task).padStart(6, '0'), solved, scored: repetitions }
}

/** Counts how often intervals cover the true value, and how wide they are. */
export function coverageCount() {
  let [held, width, rounds] = [0, 0, 0]
  return {
    add: ({ low, high }: { low: number; high: number }, truth: number) => {
      if (low <= truth + 1e-12 && high >= truth - 1e-12) held++
      width += high - low
      rounds++
    },
    result: () => ({ coverage: roundStored(held / rounds), width: roundStored(width / rounds) }),
  }
}

function simulateCell(
  { tasks, repetitions }: SampleSize,
  population: TaskPopulation,
  { mean, rounds, seed }: { mean: number; rounds: number; seed: number },
) {
  const generator = seededGenerator(seed)
  const chances = populationChances(population, mean)
  const truth = average(chances)
  const quantile = tQuantile(0.975, tasks - 1)
  const [like, these, t] = [coverageCount(), coverageCount(), coverageCount()]
  for (let round = 0; round < rounds; round++) {
    const drawn = Array.from(
      { length: tasks },
      () => chances[generator.nextBelow(chances.length)] as number,
    )
    const row = drawn.map((chance, task) => drawTaskCounts(task, chance, repetitions, generator))
    const interval = rowInterval(row)
    if (!interval.ok) throw new Error(interval.refusal.reason)
    const { rate } = interval.value
    like.add(interval.value, truth)
    these.add(interval.value.theseTasks, average(drawn))
    const half = quantile * clusteredStandardError(row.map(({ solved, scored }) => solved / scored))
    t.add({ low: Math.max(0, rate - half), high: Math.min(1, rate + half) }, truth)
  }
  return { like: like.result(), these: these.result(), t: t.result() }
}

function sizes(...list: [tasks: number, repetitions: number][]): SampleSize[] {
  return list.map(([tasks, repetitions]) => ({ tasks, repetitions }))
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const SIZE = 1000

/** Success chances of the population's tasks, least first. `mean` 0–1, met but for the last digits. */
export function populationChances(population: TaskPopulation, mean: number): number[] {
  const chance = TASK_POPULATIONS[population]
  return Array.from({ length: SIZE }, (_, index) => chance((index + 0.5) / SIZE, mean))
}

/** One task in ten as hard as the mean allows, the others alike. */
function rareHard(u: number, mean: number): number {
  const share = 0.1
  const hard = Math.max(0, (mean - (1 - share)) / share)
  return u < share ? hard : (mean - share * hard) / (1 - share)
}
