import { z } from 'zod'
import { slugSchema } from '../names.ts'
import { type Settings, settingsSchema } from '../plan.ts'
import { count, limit, temperatureSchema, usd } from '../planner/field-schemas.ts'
import { LAUNCH_FIELDS, type LaunchFields, type LaunchProblem } from './launch-fields.ts'

/** What was asked, once each field makes sense by itself. Null = none was asked for. */
export type LaunchRequest = {
  suiteId: string
  subject: string
  provider: string | null
  model: string | null
  category: string | null
  tasks: string[] | null
  repetitions: number
  pins: Pick<Settings, 'timeoutMs' | 'maxSteps' | 'maxTokens' | 'maxCostMicroUsd' | 'temperature'>
  /** `auto` = the strongest level of the machine that freezes the plan. */
  isolation: Settings['isolation'] | 'auto'
  fault: string | null
  isCold: boolean
  concurrency: number
  spendCapMicroUsd: number | null
  priority: number
}

export type ParsedLaunch =
  | { ok: true; request: LaunchRequest }
  | { ok: false; problems: LaunchProblem[] }

/** Jobs of a higher one are worked first. */
const PRIORITIES: Readonly<Record<string, number>> = { high: 10, normal: 0, low: -10 }

const orNull = (schema: z.ZodType<string>) =>
  z.union([z.literal('').transform(() => null), schema], { error: tellInner })

/** A union's own words are of no use to anybody: what the text was refused for is. */
function tellInner(issue: z.core.$ZodRawIssue): string {
  const errors = (issue as { errors?: z.core.$ZodIssue[][] }).errors ?? []
  return errors.flat().at(-1)?.message ?? 'This makes no sense here.'
}

const word = (pattern: RegExp, message: string) => z.string().regex(pattern, message)
const oneOf = <T extends string>(values: readonly T[], message: string) =>
  z.string().transform((given, context) => {
    const found = values.find((value) => value === given)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

const MOST_TASKS = 1000
const tasksSchema = z.string().transform((given, context) => {
  const names = [...new Set(given.split(/[\s,]+/).filter(Boolean))]
  if (names.length === 0) return null
  const wrong = names.find((name) => !slugSchema.safeParse(name).success)
  if (wrong === undefined && names.length <= MOST_TASKS) return names
  const message =
    wrong === undefined
      ? `Name ${MOST_TASKS} tasks at most, or a category.`
      : `Tasks are named by lower-case letters, digits, dots and dashes, with commas between them, not “${wrong.slice(0, 80)}”.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

// Both start with a letter or digit, so that no command line takes them for an option.
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/
const FAULT = /^[a-z][a-z0-9@,=-]{0,99}$/

const schema = z.object({
  suite: word(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'Choose a suite.'),
  subject: word(NAME, 'Choose what is measured.'),
  provider: orNull(word(NAME, 'A provider is named by letters, digits, dots and dashes.')),
  model: orNull(
    word(MODEL, 'A model is named by letters, digits and . _ : @ + / - after a letter or digit.'),
  ),
  category: orNull(word(/^[^\p{Cc}\p{Cf}]{1,60}$/u, 'Choose a category.')),
  tasks: tasksSchema,
  repetitions: count('Repetitions', 1000),
  timeout: count('Timeout', 86_400),
  steps: limit('Steps', 100_000),
  tokens: limit('Tokens', 1_000_000_000),
  cost: usd('Cost takes dollars an episode'),
  temperature: temperatureSchema,
  isolation: oneOf(
    ['auto', ...settingsSchema.shape.isolation.options] as const,
    'Isolation is auto, bubblewrap, docker or local.',
  ),
  fault: orNull(
    word(FAULT, 'A fault is a kind, as in stall, or kind@step for an agent, as in rate-limit@2.'),
  ),
  browser: oneOf(['', 'reused', 'cold'], 'The browser is reused or cold.'),
  concurrency: count('At the same time', 64),
  cap: usd('The spend cap takes dollars for the whole run'),
  priority: oneOf(Object.keys(PRIORITIES), 'Priority is high, normal or low.'),
})

/** The form, field by field; whether its fields go together is asked by `checkLaunch`. Pure. */
export function parseLaunch(fields: LaunchFields): ParsedLaunch {
  const parsed = schema.safeParse(fields)
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map(problemOf) }
  const { suite, timeout, steps, tokens, cost, temperature, isolation, ...rest } = parsed.data
  const { subject, provider, model, category, tasks, repetitions, fault, concurrency } = rest
  const pins = {
    timeoutMs: timeout * 1000,
    maxSteps: steps,
    maxTokens: tokens,
    maxCostMicroUsd: cost,
    temperature,
  }
  const request = {
    ...{ suiteId: suite, subject, provider, model, category, tasks, repetitions, pins, fault },
    isolation,
    isCold: rest.browser === 'cold',
    concurrency,
    spendCapMicroUsd: rest.cap,
    priority: PRIORITIES[rest.priority] ?? 0,
  }
  return { ok: true, request }
}

function problemOf({ path, message }: z.core.$ZodIssue): LaunchProblem {
  return { path: LAUNCH_FIELDS.find((known) => known === path[0]) ?? '(root)', message }
}
