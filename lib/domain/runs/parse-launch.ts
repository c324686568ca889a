import { z } from 'zod'
import { count, limit, temperatureSchema, usd } from '../planner/field-schemas.ts'
import { slugSchema } from '../record/names.ts'
import { type Plan, type Settings, settingsSchema } from '../record/plan.ts'
import type { Suite } from '../tasks/suite.ts'
import {
  LAUNCH_FIELDS,
  type LaunchFields,
  type LaunchProblem,
  readLaunchFields,
} from './launch-fields.ts'

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

type ParsedLaunch = { ok: true; request: LaunchRequest } | { ok: false; problems: LaunchProblem[] }

/** Jobs of a higher one are worked first. */
const PRIORITIES: Readonly<Record<string, number>> = { high: 10, normal: 0, low: -10 }

const orNull = (schema: z.ZodType<string>) =>
  z.union([z.literal('').transform(() => null), schema], { error: tellInner })

/** Shows the error of the inner schema, because the message of a union is not helpful. */
function tellInner(issue: z.core.$ZodRawIssue): string {
  const errors = (issue as { errors?: z.core.$ZodIssue[][] }).errors ?? []
  return errors.flat().at(-1)?.message ?? 'Invalid value.'
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
      ? `Enter at most ${MOST_TASKS} tasks, or choose a category.`
      : `Enter task names separated by commas, with lower-case letters, digits, dots and dashes. “${wrong.slice(0, 80)}” is not a task name.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

// Both start with a letter or digit, so that no command line takes them for an option.
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/
const FAULT = /^[a-z][a-z0-9@,=-]{0,99}$/

const schema = z.object({
  suite: word(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'Choose a suite.'),
  subject: word(NAME, 'Choose a subject.'),
  provider: orNull(word(NAME, 'A provider name contains only letters, digits, dots and dashes.')),
  model: orNull(
    word(
      MODEL,
      'A model id starts with a letter or digit and contains only letters, digits and . _ : @ + / -',
    ),
  ),
  category: orNull(word(/^[^\p{Cc}\p{Cf}]{1,60}$/u, 'Choose a category.')),
  tasks: tasksSchema,
  repetitions: count('Repetitions', 1000),
  timeout: count('Timeout', 86_400),
  steps: limit('Steps', 100_000),
  tokens: limit('Tokens', 1_000_000_000),
  cost: usd('Enter the cost per episode in USD'),
  temperature: temperatureSchema,
  isolation: oneOf(
    ['auto', ...settingsSchema.shape.isolation.options] as const,
    'Choose auto, bubblewrap, docker or local.',
  ),
  fault: orNull(
    word(
      FAULT,
      'Enter a fault, for example stall, or for an agent fault@step, for example rate-limit@2.',
    ),
  ),
  browser: oneOf(['', 'reused', 'cold'], 'Choose reused or cold.'),
  concurrency: count('Concurrency', 64),
  cap: usd('Enter the spend cap of the run in USD'),
  priority: oneOf(Object.keys(PRIORITIES), 'Choose high, normal or low.'),
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

const PART_OF_A_USD = 1e6

/**
 * The launch form that asks for a plan's settings once more; `suite` is its version as it stands, null = unknown here.
 * Null where the form cannot: a top-up has repetitions of each task, a command of somebody's own is no subject of it,
 * and what another program ran cannot be run here.
 */
export function launchAgain(plan: Plan, suite: Pick<Suite, 'tasks'> | null): LaunchFields | null {
  if (plan.topUpOf || plan.command !== null) return null
  const { subject, settings } = plan
  const planned = plan.tasks.map(({ taskId }) => taskId)
  const isWhole = suite !== null && suite.tasks.length === planned.length
  return readLaunchFields({
    suite: plan.suiteId,
    subject: subject.name,
    provider: subject.provider ?? '',
    model: subject.modelRequested ?? '',
    tasks: isWhole ? '' : planned.join(','),
    repetitions: String(plan.repetitions),
    timeout: String(Math.ceil(settings.timeoutMs / 1000)),
    steps: said(settings.maxSteps),
    tokens: said(settings.maxTokens),
    cost: settings.maxCostMicroUsd === null ? '' : said(settings.maxCostMicroUsd / PART_OF_A_USD),
    temperature: said(settings.temperature),
    isolation: settings.isolation,
    fault: settings.fault ?? '',
    browser: settings.browser ?? '',
  })
}

function said(value: number | string | null): string {
  return value === null ? '' : String(value)
}
