import { z } from 'zod'
import shipped from './model-cutoffs.json' with { type: 'json' }

/** A day, or a whole month where that is all that was said. */
const dateSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, 'expected YYYY-MM or YYYY-MM-DD')

/**
 * Until when a model was trained, as its vendor says. `training`: the end of the training data. `knowledge`: the date
 * up to which the vendor calls its knowledge reliable; training data may reach beyond it.
 */
export const modelCutoffSchema = z.strictObject({
  /** Every name under which it is asked for; no other name matches, since another snapshot may know more. */
  models: z.array(z.string().min(1).max(200)).min(1),
  date: dateSchema,
  kind: z.enum(['training', 'knowledge']),
  /** Who says so, for people: a document and its date. */
  source: z.string().min(1).max(300),
})
export type ModelCutoff = z.infer<typeof modelCutoffSchema>

/** `model-cutoffs.json`: as shipped, and as anyone may keep it in the data folder. */
export const modelCutoffsFileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cutoffs: z.array(modelCutoffSchema),
})

/** What is known without asking anyone; a test holds the file against the schema. */
export const SHIPPED_CUTOFFS: readonly ModelCutoff[] = shipped.cutoffs as ModelCutoff[]

/** The cut-off of a model by its exact name; of several entries the first counts. Null = not known. */
export function findCutoff(
  model: string,
  cutoffs: readonly ModelCutoff[] = SHIPPED_CUTOFFS,
): ModelCutoff | null {
  return cutoffs.find(({ models }) => models.includes(model)) ?? null
}

/** The last day that a cut-off may mean: `2025-02` → `2025-02-28`. */
export function lastDayOf({ date }: Pick<ModelCutoff, 'date'>): string {
  const [year = 0, month = 0, day] = date.split('-').map(Number)
  if (day !== undefined) return date
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
