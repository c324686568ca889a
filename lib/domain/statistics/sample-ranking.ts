import type { RankInput } from './rank-rows.ts'
import { seededGenerator } from './seeded-generator.ts'

export type SampleSize = { rows: number; tasks: number; repetitions: number; seed: number }

/** The size that has to rank within two seconds in one thread. */
export const BENCH_SIZE: SampleSize = { rows: 200, tasks: 100, repetitions: 20, seed: 7 }

/** Made-up rows for benchmarks and tests: skills and task difficulties on a logistic scale. */
export function sampleRanking({ rows, tasks, repetitions, seed }: SampleSize): RankInput[] {
  const generator = seededGenerator(seed)
  const difficulty = Array.from({ length: tasks }, () => 4 * generator.nextUnit() - 2)
  return Array.from({ length: rows }, (_, row) => {
    const skill = 3 * generator.nextUnit() - 1.5
    const tallies = difficulty.map((hard, task) => {
      const chance = 1 / (1 + Math.exp(hard - skill - 2 * generator.nextUnit() + 1))
      let solved = 0
      for (let trial = 0; trial < repetitions; trial++)
        solved += generator.nextUnit() < chance ? 1 : 0
      return { taskId: `task-${task}`, solved, scored: repetitions }
    })
    return { key: `row-${row}`, label: `Row ${row}`, tallies }
  })
}
