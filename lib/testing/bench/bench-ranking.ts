import { type RankInput, type Ranking, rankRows } from '#lib/domain/statistics/rank-rows.ts'
import { seededGenerator } from '#lib/domain/statistics/seeded-generator.ts'

/** Ranks synthetic rows, bootstrap included, and returns the duration by the caller's clock (milliseconds). */
export function benchRanking(
  now: () => number,
  size: RankingSize = BENCH_SIZE,
): { durationMs: number; ranking: Ranking } {
  const inputs = sampleRanking(size)
  const started = now()
  const ranking = rankRows(inputs)
  return { durationMs: now() - started, ranking }
}

type RankingSize = { rows: number; tasks: number; repetitions: number; seed: number }

/** The size that must be ranked within two seconds in one thread. */
const BENCH_SIZE: RankingSize = { rows: 200, tasks: 100, repetitions: 20, seed: 7 }

/** Synthetic rows for benchmarks and tests: skills and task difficulties on a logistic scale. */
export function sampleRanking({ rows, tasks, repetitions, seed }: RankingSize): RankInput[] {
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
