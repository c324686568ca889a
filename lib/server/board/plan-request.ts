import { z } from 'zod'
import { PLAN_FIELDS, type PlanFields, type PlanProblem } from '#lib/domain/api/planner-view.ts'
import { count, limit, temperatureSchema, usd } from '#lib/domain/planner/field-schemas.ts'
import type { Settings } from '#lib/domain/record/plan.ts'

/** What was asked, once it makes sense. Null = no limit. */
export type PlanRequest = {
  repetitions: number
  concurrency: number
  pins: Pick<Settings, 'maxSteps' | 'maxTokens' | 'maxCostMicroUsd' | 'temperature' | 'timeoutMs'>
}

export type ParsedFields =
  | { ok: true; request: PlanRequest }
  | { ok: false; problems: PlanProblem[] }

const DEFAULT_FIELDS: Partial<PlanFields> = {
  repetitions: '3',
  timeout: '600',
  concurrency: '1',
}

const MOST_TEXT = 200

/** Fills in what a URL leaves out; the first of a repeated parameter counts. */
export function readFields(query: Record<string, string | string[] | undefined>): PlanFields {
  const entries = PLAN_FIELDS.map((field) => {
    const given = query[field]
    const text = (Array.isArray(given) ? given[0] : given)?.trim().slice(0, MOST_TEXT)
    return [field, text || (DEFAULT_FIELDS[field] ?? '')]
  })
  return Object.fromEntries(entries) as PlanFields
}

const fieldsSchema = z.object({
  repetitions: count('Repetitions', 1000),
  concurrency: count('Concurrency', 64),
  timeout: count('Timeout', 86_400),
  steps: limit('Steps', 1_000_000),
  tokens: limit('Tokens', 1_000_000_000),
  cost: usd('Enter the cost per episode in USD'),
  temperature: temperatureSchema,
})

/** The numbers of the form, or a sentence for each that makes no sense. */
export function parseFields(fields: PlanFields): ParsedFields {
  const parsed = fieldsSchema.safeParse(fields)
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(problemOf) }
  }
  const { repetitions, concurrency, timeout, steps, tokens, cost, temperature } = parsed.data
  const pins = {
    maxSteps: steps,
    maxTokens: tokens,
    maxCostMicroUsd: cost,
    temperature,
    timeoutMs: timeout * 1000,
  }
  return { ok: true, request: { repetitions, concurrency, pins } }
}

function problemOf({ path, message }: z.core.$ZodIssue): PlanProblem {
  return { field: PLAN_FIELDS.find((known) => known === path[0]) ?? 'suite', message }
}
