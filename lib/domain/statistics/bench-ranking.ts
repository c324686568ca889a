import { type Ranking, rankRows } from './rank-rows.ts'
import { BENCH_SIZE, type SampleSize, sampleRanking } from './sample-ranking.ts'

/** Ranks made-up rows, bootstrap included, and tells how long it took by the caller's clock (milliseconds). */
export function benchRanking(
  now: () => number,
  size: SampleSize = BENCH_SIZE,
): { durationMs: number; ranking: Ranking } {
  const inputs = sampleRanking(size)
  const started = now()
  const ranking = rankRows(inputs)
  return { durationMs: now() - started, ranking }
}
