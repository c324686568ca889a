import { taskScore } from './task-score.ts'
import type { TaskTally } from './task-tally.ts'

/** Task scores of many rows, row by row. */
export type ScoreMatrix = {
  rows: number
  tasks: number
  /** rows × tasks, in SCORE_UNITS; 0 where a row has no scored episode. */
  scores: Float64Array
  /** rows × tasks: 1 where the row has a scored episode of the task. */
  present: Uint8Array
  /** 1 where a row has every task. */
  complete: Uint8Array
}

/** Lays rows out over the union of their scored tasks, tasks sorted by id. */
export function scoreMatrix(rows: readonly (readonly TaskTally[])[]): ScoreMatrix {
  const ids = [...new Set(rows.flatMap((tallies) => tallies.map((tally) => tally.taskId)))].sort()
  const columns = new Map(ids.map((id, column) => [id, column]))
  const scores = new Float64Array(rows.length * ids.length)
  const present = new Uint8Array(rows.length * ids.length)
  rows.forEach((tallies, row) => {
    for (const tally of tallies) {
      const cell = row * ids.length + (columns.get(tally.taskId) as number)
      scores[cell] = taskScore(tally)
      present[cell] = 1
    }
  })
  const complete = Uint8Array.from(rows, (tallies) => (tallies.length === ids.length ? 1 : 0))
  return { rows: rows.length, tasks: ids.length, scores, present, complete }
}

/** Mean score of one row over drawn tasks (columns, repeats allowed); `fallback` where it has none of them. */
export function drawnMean(
  matrix: ScoreMatrix,
  row: number,
  drawn: Uint32Array,
  fallback: number,
): number {
  const { scores, present, tasks } = matrix
  const start = row * tasks
  let sum = 0
  for (let index = 0; index < drawn.length; index++) {
    sum += scores[start + (drawn[index] as number)] as number
  }
  if (matrix.complete[row] === 1) return sum / drawn.length
  let count = 0
  for (let index = 0; index < drawn.length; index++) {
    count += present[start + (drawn[index] as number)] as number
  }
  return count === 0 ? fallback : sum / count
}
