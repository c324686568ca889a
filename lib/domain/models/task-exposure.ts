import { z } from 'zod'
import type { Board, BoardRow } from '../board/board-row.ts'
import { findCutoff, lastDayOf, type ModelCutoff, modelCutoffSchema } from './model-cutoff.ts'

const count = z.number().int().nonnegative()

/**
 * Whether a row's model can have seen its tasks in training. `before`: tasks that were public by the cut-off; `after`:
 * tasks that came later; `unknown`: tasks whose release date nobody knows. Which of them was learnt cannot be told.
 */
export const taskExposureSchema = z.object({
  model: z.string(),
  /** Null = nobody here knows the model's cut-off. */
  cutoff: modelCutoffSchema.omit({ models: true }).nullable(),
  tasks: count,
  /** Null where the cut-off is unknown. */
  before: count.nullable(),
  after: count.nullable(),
  unknown: count,
  /** First and last known release date of the tasks; null = none is known. */
  released: z.object({ first: z.string(), last: z.string() }).nullable(),
})
export type TaskExposure = z.infer<typeof taskExposureSchema>

/**
 * Holds the release dates of a row's tasks (`YYYY-MM-DD`; null = not known) against its model's cut-off. A task that
 * came out in the cut-off's own month counts as before it.
 */
export function taskExposure(
  model: string,
  dates: readonly (string | null)[],
  cutoff: ModelCutoff | null,
): TaskExposure {
  const known = dates.filter((date) => date !== null).sort()
  const [first, last] = [known[0], known.at(-1)]
  const before = cutoff && known.filter((date) => date <= lastDayOf(cutoff)).length
  return {
    model,
    cutoff: cutoff && { date: cutoff.date, kind: cutoff.kind, source: cutoff.source },
    tasks: dates.length,
    before,
    after: before === null ? null : known.length - before,
    unknown: dates.length - known.length,
    released: first !== undefined && last !== undefined ? { first, last } : null,
  }
}

/** The same for a row of a board, over the tasks that it has; null = no model is named. */
export function rowExposure(
  { subject, tasks }: Pick<BoardRow, 'subject' | 'tasks'>,
  { suite }: Pick<Board, 'suite'>,
  cutoffs: readonly ModelCutoff[],
): TaskExposure | null {
  const model = subject.modelRequested
  if (model === null) return null
  const released = new Map(suite.tasks.map((task) => [task.taskId, task.released ?? null]))
  const dates = tasks.map(({ taskId }) => released.get(taskId) ?? null)
  return taskExposure(model, dates, findCutoff(model, cutoffs))
}
