import { taskScore } from './task-score.ts'
import type { TaskTally } from './task-tally.ts'

/** Task scores of many rows, row by row. */
export type ScoreMatrix = {
  rows: number
  tasks: number
  /** rows × tasks, in SCORE_UNITS; 0 where a row has no scored episode. */
  scores: Float64Array
  /** 1 where a row has every task. */
  complete: Uint8Array
}

/** Lays rows out over the union of their scored tasks, tasks sorted by id. */
export function scoreMatrix(rows: readonly (readonly TaskTally[])[]): ScoreMatrix {
  const ids = [...new Set(rows.flatMap((tallies) => tallies.map((tally) => tally.taskId)))].sort()
  const columns = new Map(ids.map((id, column) => [id, column]))
  const scores = new Float64Array(rows.length * ids.length)
  rows.forEach((tallies, row) => {
    for (const tally of tallies) {
      const cell = row * ids.length + (columns.get(tally.taskId) as number)
      scores[cell] = taskScore(tally)
    }
  })
  const complete = Uint8Array.from(rows, (tallies) => (tallies.length === ids.length ? 1 : 0))
  return { rows: rows.length, tasks: ids.length, scores, complete }
}
