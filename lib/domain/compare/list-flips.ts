import type { BoardRow } from '../board/board-row.ts'
import type { FlippedTask, TaskCell } from './comparison.ts'

/** Tasks that one row solves more often than not and the other does not; the largest difference first. */
export function listFlips(
  tasks: readonly { taskId: string; title: string }[],
  a: ReadonlyMap<string, TaskCell>,
  b: ReadonlyMap<string, TaskCell>,
): FlippedTask[] {
  const flips = tasks.flatMap(({ taskId, title }) => {
    const [left, right] = [a.get(taskId), b.get(taskId)]
    if (!left || !right || left.rate === null || right.rate === null) return []
    if (left.rate > 0.5 === right.rate > 0.5) return []
    const difference = left.rate - right.rate
    const solvedBy = difference > 0 ? ('a' as const) : ('b' as const)
    return [{ taskId, title, solvedBy, a: left, b: right, difference }]
  })
  return flips.sort(
    (x, y) => Math.abs(y.difference) - Math.abs(x.difference) || (x.taskId < y.taskId ? -1 : 1),
  )
}

/** A row's tasks by id, each with its rate. */
export function taskCells(row: Pick<BoardRow, 'tasks'>): Map<string, TaskCell> {
  return new Map(
    row.tasks.map(({ taskId, solved, scored, voids }) => [
      taskId,
      { solved, scored, voids, rate: scored > 0 ? solved / scored : null },
    ]),
  )
}
