import { z } from 'zod'
import type { Board, BoardRow } from './board-row.ts'
import shipped from './model-cutoffs.json'

const count = z.number().int().nonnegative()

/** A day, or a month if the day is unknown. */
const dateSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, 'expected YYYY-MM or YYYY-MM-DD')

/**
 * A model's cut-off as stated by its vendor. `training`: the end of the training data. `knowledge`: the date
 * up to which the vendor calls its knowledge reliable; training data may reach beyond it.
 */
const modelCutoffSchema = z.strictObject({
  /** Every requested name that it applies to; other names do not match, since another snapshot may know more. */
  models: z.array(z.string().min(1).max(200)).min(1),
  date: dateSchema,
  kind: z.enum(['training', 'knowledge']),
  /** The source, as readable text: a document and its date. */
  source: z.string().min(1).max(300),
})

/**
 * Possible exposure of a row's model to its tasks in training. `before`: tasks that were public by the cut-off; `after`:
 * tasks published later; `unknown`: tasks without a known release date. Which tasks were learnt cannot be determined.
 */
export const taskExposureSchema = z.object({
  model: z.string(),
  /** Null = the model's cut-off is unknown. */
  cutoff: modelCutoffSchema.omit({ models: true }).nullable(),
  tasks: count,
  /** Null = the cut-off is unknown. */
  before: count.nullable(),
  after: count.nullable(),
  unknown: count,
  /** First and last known release date of the tasks; null = none is known. */
  released: z.object({ first: z.string(), last: z.string() }).nullable(),
})
export type TaskExposure = z.infer<typeof taskExposureSchema>

/**
 * Compares the release dates of a row's tasks (`YYYY-MM-DD`; null = unknown) with its model's cut-off. A task published
 * in the month of the cut-off counts as before it.
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

/** The same for a row of a board, over its tasks; null = it has no model. */
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
export type ModelCutoff = z.infer<typeof modelCutoffSchema>

/** `model-cutoffs.json`, as shipped and as an operator may place it in the data folder. */
export const modelCutoffsFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cutoffs: z.array(modelCutoffSchema),
})

/** The shipped cut-offs; a test checks the file against the schema. */
export const SHIPPED_CUTOFFS: readonly ModelCutoff[] = shipped.cutoffs as ModelCutoff[]

/** Returns the cut-off of a model by its exact name; of several entries the first counts. Null = unknown. */
export function findCutoff(
  model: string,
  cutoffs: readonly ModelCutoff[] = SHIPPED_CUTOFFS,
): ModelCutoff | null {
  return cutoffs.find(({ models }) => models.includes(model)) ?? null
}

/** The latest day of a cut-off: `2025-02` → `2025-02-28`. */
export function lastDayOf({ date }: Pick<ModelCutoff, 'date'>): string {
  const [year = 0, month = 0, day] = date.split('-').map(Number)
  if (day !== undefined) return date
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
