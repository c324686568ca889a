import { z } from 'zod'
import { unknownName } from '#lib/domain/nearest-names.ts'
import type { Settings } from '#lib/domain/plan.ts'
import { PLAN_FIELDS, type PlanFields, type PlanProblem } from '#lib/domain/views/planner-view.ts'

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

const count = (what: string, most: number) =>
  z.string().transform((text, context) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= 1 && value <= most) return value
    const range = `a whole number from 1 to ${most.toLocaleString('en-US')}`
    context.addIssue({ code: 'custom', message: `${what} takes ${range}, not “${text}”.` })
    return z.NEVER
  })

const limit = (what: string, most: number) =>
  z.union([z.literal('').transform(() => null), count(what, most)])

const usdSchema = z.string().transform((text, context) => {
  if (text === '') return null
  const microUsd = Math.round(Number(text) * 1e6)
  if (/^\d*\.?\d+$/.test(text) && microUsd >= 1 && microUsd <= 1e10) return microUsd
  const message = `Cost takes dollars an episode, from 0.000001 to 10,000, not “${text}”.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const temperatureSchema = z.string().transform((text, context) => {
  if (text === '') return null
  if (text === 'provider-fixed') return 'provider-fixed' as const
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && value <= 2) return value
  const message = `Temperature takes a number from 0 to 2, or provider-fixed, not “${text}”.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const fieldsSchema = z.object({
  repetitions: count('Repetitions', 1000),
  concurrency: count('Concurrency', 64),
  timeout: count('Timeout', 86_400),
  steps: limit('Steps', 1_000_000),
  tokens: limit('Tokens', 1_000_000_000),
  cost: usdSchema,
  temperature: temperatureSchema,
})

/** The numbers of the form, or a sentence for each that makes no sense. */
export function parseFields(fields: PlanFields): ParsedFields {
  const parsed = fieldsSchema.safeParse(fields)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => problemOf(issue, fields))
    return { ok: false, problems }
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

function problemOf(issue: z.core.$ZodIssue, fields: PlanFields): PlanProblem {
  const field = PLAN_FIELDS.find((known) => known === issue.path[0]) ?? 'suite'
  if (issue.code !== 'invalid_union') return { field, message: issue.message }
  const told = issue.errors.flat().find(({ code }) => code === 'custom')
  return { field, message: told?.message ?? `“${fields[field]}” makes no sense here.` }
}

/** One sentence about a name that is not there, with the nearest ones. */
export function unknownSentence(what: string, wanted: string, known: readonly string[]): string {
  const text = unknownName(what, wanted, known)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
