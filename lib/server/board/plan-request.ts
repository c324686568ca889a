import { z } from 'zod'
import { PLAN_FIELDS, type PlanFields, type PlanProblem } from '#lib/domain/api/index.ts'
import { limitShape, limitsOf, limitTexts, typed } from '#lib/domain/planner/index.ts'
import { SETTINGS, type SettingValues, wholeNumber } from '#lib/domain/settings/index.ts'

/** The validated request. Null = no limit. */
export type PlanRequest = {
  repetitions: number
  concurrency: number
  /** The limits of one episode. */
  pins: SettingValues
}

export type ParsedFields =
  | { ok: true; request: PlanRequest }
  | { ok: false; problems: PlanProblem[] }

const DEFAULT_FIELDS: Partial<PlanFields> = {
  repetitions: '3',
  ...limitTexts({ timeoutMs: SETTINGS.timeoutMs.fallback }),
  concurrency: '1',
}

const MAX_TEXT = 200

/** Fills in what a URL leaves out; the first of a repeated parameter is used. */
export function readFields(query: Record<string, string | string[] | undefined>): PlanFields {
  const entries = PLAN_FIELDS.map((field) => {
    const given = query[field]
    const text = (Array.isArray(given) ? given[0] : given)?.trim().slice(0, MAX_TEXT)
    return [field, text || (DEFAULT_FIELDS[field] ?? '')]
  })
  return Object.fromEntries(entries) as PlanFields
}

const fieldsSchema = z.object({
  repetitions: typed('Repetitions', wholeNumber(1000)),
  concurrency: typed('Concurrency', wholeNumber(64)),
  ...limitShape(),
})

/** Parses the numbers of the form; returns an error for each invalid one. */
export function parseFields(fields: PlanFields): ParsedFields {
  const parsed = fieldsSchema.safeParse(fields)
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(problemOf) }
  }
  const { repetitions, concurrency } = parsed.data
  return { ok: true, request: { repetitions, concurrency, pins: limitsOf(parsed.data) } }
}

function problemOf({ path, message }: z.core.$ZodIssue): PlanProblem {
  return { field: PLAN_FIELDS.find((known) => known === path[0]) ?? 'suite', message }
}
