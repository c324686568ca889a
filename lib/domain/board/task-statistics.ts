import { z } from 'zod'
import { FEWEST_ROWS, itemStatistics } from '../statistics/item-statistics.ts'
import type { BoardRow } from './board-row.ts'

const count = z.number().int().nonnegative()

/** What the rows of a board say of a suite's tasks: dead ones, and how well each tells strong rows from weak ones. */
export const taskStatisticsSchema = z.object({
  /** Rows that count: ranked ones, and model-driven ones that this server ran, none under faults. */
  rows: count,
  /** With fewer rows, nothing is said of single tasks. */
  fewestRows: count,
  tasks: z.array(
    z.object({
      taskId: z.string(),
      rows: count,
      /** Mean success over the rows, 0–1; null = no row has it. */
      mean: z.number().nullable(),
      /** Null = too few rows have it. */
      solvedBy: z.enum(['all', 'none', 'some']).nullable(),
      /** Item-rest correlation over the rows, -1 … 1; null = too few rows, or nothing varies. */
      discrimination: z.number().nullable(),
    }),
  ),
})
export type TaskStatistics = z.infer<typeof taskStatisticsSchema>

/** Analyses the tasks of a board, in the order of `taskIds`, over its rows. */
export function taskStatistics(
  rows: readonly BoardRow[],
  taskIds: readonly string[],
): TaskStatistics {
  const items = rows
    .filter(tellsOfTasks)
    .map(
      ({ tasks }) =>
        new Map(
          tasks.flatMap(({ taskId, solved, scored }) =>
            scored > 0 ? [[taskId, solved / scored] as const] : [],
          ),
        ),
    )
  return {
    rows: items.length,
    fewestRows: FEWEST_ROWS,
    tasks: itemStatistics(taskIds, items),
  }
}

/** Controls and planned faults say nothing of a task, and rows that strangers send could be made up to. */
function tellsOfTasks({ label, driven, provenance, subject, settings }: BoardRow): boolean {
  if (subject.kind === 'control' || settings.fault !== undefined) return false
  if (label === 'primary') return true
  return provenance === 'local' && driven === 'llm' && label !== 'scaffold' && label !== 'stress'
}
