import { z } from 'zod'
import { EXECUTORS, type ExecutorName, MAX_REMOTE_SHARDS } from '../executors/index.ts'
import { limitShape, limitsOf, limitTexts, orNull, typed } from '../planner/index.ts'
import { type Plan, providerName, slugSchema } from '../record/index.ts'
import {
  DOLLARS,
  LIMIT_LIST,
  oneOf,
  SETTINGS,
  type Settings,
  type SettingValues,
  wholeNumber,
} from '../settings/index.ts'
import type { Suite } from '../tasks/index.ts'
import { countOf } from '../text/index.ts'

/** Fields of the launch form, as in the URL, in presets and in the submitted form. */
export const LAUNCH_FIELDS = [
  'suite',
  'subject',
  'provider',
  'model',
  'agentVersion',
  'category',
  'tasks',
  'repetitions',
  ...LIMIT_LIST.map(({ field }) => field),
  'isolation',
  'fault',
  'browser',
  'instruction',
  'arms',
  'concurrency',
  'cap',
  'priority',
  'on',
  'shards',
] as const
export type LaunchField = (typeof LAUNCH_FIELDS)[number]

/** Values of the form by field; empty where nothing was entered. */
export type LaunchFields = Record<LaunchField, string>

/** A validation error of a field; `(root)` = the whole form. */
export type LaunchProblem = { path: LaunchField | '(root)'; message: string }

/** Value of `executor` for this machine. */
export const HERE = 'here'

export const DEFAULT_LAUNCH: Partial<LaunchFields> = {
  subject: 'reference',
  repetitions: '1',
  ...limitTexts({ timeoutMs: SETTINGS.timeoutMs.fallback }),
  isolation: SETTINGS.isolation.fallback,
  concurrency: '1',
  priority: 'normal',
  on: HERE,
}

/** Enough for the names of a thousand tasks; other fields are short. */
const MAX_TASKS_TEXT = 20_000
const MAX_TEXT = 200
const MAX_OF: Partial<Record<LaunchField, number>> = {
  tasks: MAX_TASKS_TEXT,
  instruction: 5000,
  // The form is part of a URL, of which a server reads 16 kB.
  arms: 8000,
}

const mostOf = (field: LaunchField) => MAX_OF[field] ?? MAX_TEXT

/** Fills in fields that a URL omits; the first value of a repeated parameter counts. */
export function readLaunchFields(
  query: Readonly<Record<string, string | string[] | undefined>>,
): LaunchFields {
  const entries = LAUNCH_FIELDS.map((field) => {
    const given = query[field]
    const text = (Array.isArray(given) ? given[0] : given)?.trim().slice(0, mostOf(field))
    return [field, text || (DEFAULT_LAUNCH[field] ?? '')]
  })
  return Object.fromEntries(entries) as LaunchFields
}

/** The query string of the same form; defaults are left out. */
export function writeLaunchQuery(fields: LaunchFields): string {
  const given = LAUNCH_FIELDS.filter((field) => fields[field] !== (DEFAULT_LAUNCH[field] ?? ''))
  return new URLSearchParams(given.map((field) => [field, fields[field]])).toString()
}

/** True if both request the same run; line endings may differ between a URL and a submitted form. */
export function isSameLaunch(one: LaunchFields, other: LaunchFields): boolean {
  const lines = (text: string) => text.replace(/\r\n?/g, '\n')
  return LAUNCH_FIELDS.every((field) => lines(one[field]) === lines(other[field]))
}

const text = (field: LaunchField) =>
  z
    .string({ error: 'Send this field once, as text.' })
    .max(mostOf(field), `Use at most ${countOf(mostOf(field), 'character')}.`)
    .default('')

/** Submitted fields, each once; `parseLaunch` interprets them. */
export const launchFieldsSchema = z.object(
  Object.fromEntries(LAUNCH_FIELDS.map((field) => [field, text(field)])) as Record<
    LaunchField,
    ReturnType<typeof text>
  >,
)

/** The request, once each field is valid by itself. Null = not requested. */
export type LaunchRequest = {
  suiteId: string
  subject: string
  provider: string | null
  model: string | null
  /** An exact version, or `path`; null = the installed one. */
  agentVersion: string | null
  category: string | null
  tasks: string[] | null
  repetitions: number
  /** Limits of one episode. */
  pins: SettingValues
  /** `auto` = the strongest level of the machine that freezes the plan. */
  isolation: Settings['isolation'] | 'auto'
  fault: string | null
  /** Text appended to every prompt. */
  instruction: string | null
  /** Arms as YAML or JSON, in the format of an `--arms` file; the runner parses them. */
  arms: string | null
  isCold: boolean
  concurrency: number
  spendCapMicroUsd: number | null
  priority: number
  /** Engine whose machines run the shards, and their number (0 = the engine's default); null = here. */
  remote: { executor: ExecutorName; shards: number } | null
}

type ParsedLaunch = { ok: true; request: LaunchRequest } | { ok: false; problems: LaunchProblem[] }

/** Higher values are worked first. */
const PRIORITIES: Readonly<Record<string, number>> = { high: 10, normal: 0, low: -10 }

const word = (pattern: RegExp, message: string) => z.string().regex(pattern, message)
const MAX_TASKS = 1000
const tasksSchema = z.string().transform((given, context) => {
  const names = [...new Set(given.split(/[\s,]+/).filter(Boolean))]
  if (names.length === 0) return null
  const wrong = names.find((name) => !slugSchema.safeParse(name).success)
  if (wrong === undefined && names.length <= MAX_TASKS) return names
  const message =
    wrong === undefined
      ? `Enter at most ${MAX_TASKS} tasks, or choose a category.`
      : `Enter task names separated by commas, with lower-case letters, digits, dots and dashes. “${wrong.slice(0, 80)}” is not a task name.`
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

// Both start with a letter or digit, so that a command line cannot read them as options.
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
const VERSION = /^(path|\d+\.\d+[0-9A-Za-z.+-]{0,60})$/
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,199}$/

const schema = z.object({
  suite: word(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'Choose a suite.'),
  subject: word(NAME, 'Choose an agent or a library.'),
  provider: orNull(word(NAME, 'A provider name contains only letters, digits, dots and dashes.')),
  model: orNull(
    word(
      MODEL,
      'A model id starts with a letter or digit and contains only letters, digits and . _ : @ + / -',
    ),
  ),
  agentVersion: orNull(
    word(VERSION, 'Enter an exact version such as 2.1.330, or path for the one on the PATH.'),
  ),
  category: orNull(word(/^[^\p{Cc}\p{Cf}]{1,60}$/u, 'Choose a category.')),
  tasks: tasksSchema,
  repetitions: typed('Repetitions', wholeNumber(1000)),
  ...limitShape(),
  isolation: typed('Isolation', SETTINGS.isolation.kind),
  fault: orNull(typed('Fault', SETTINGS.fault.kind)),
  browser: orNull(typed('Browser', SETTINGS.browser.kind)),
  // Forms submit CRLF line endings.
  instruction: orNull(
    z
      .string()
      .transform((text) => text.replaceAll('\r\n', '\n'))
      .pipe(typed('Custom instruction', SETTINGS.customInstruction.kind)),
  ),
  arms: orNull(z.string().transform((text) => text.replaceAll('\r\n', '\n'))),
  concurrency: typed('Concurrency', wholeNumber(64)),
  cap: orNull(typed('Spend cap', DOLLARS)),
  priority: typed('Priority', oneOf(Object.keys(PRIORITIES))),
  on: typed('Run on', oneOf([HERE, ...EXECUTORS])),
  shards: orNull(typed('Shards', wholeNumber(MAX_REMOTE_SHARDS))),
})

/** Parses the form field by field; `checkLaunch` checks combinations. */
export function parseLaunch(fields: LaunchFields): ParsedLaunch {
  const parsed = schema.safeParse(fields)
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map(problemOf) }
  const { suite: suiteId, browser, cap: spendCapMicroUsd, priority, ...rest } = parsed.data
  const { subject, provider, model, agentVersion, category, tasks, repetitions } = rest
  const { isolation, fault, instruction, arms, concurrency } = rest
  const request = {
    suiteId,
    subject,
    provider,
    model,
    agentVersion,
    category,
    tasks,
    repetitions,
    pins: limitsOf(parsed.data),
    isolation,
    fault,
    instruction,
    arms,
    isCold: browser === 'cold',
    concurrency,
    spendCapMicroUsd,
    priority: PRIORITIES[priority] ?? 0,
    remote: remoteOf(parsed.data),
  }
  return { ok: true, request }
}

function remoteOf({ on, shards }: { on: string; shards: number | null }): LaunchRequest['remote'] {
  const executor = EXECUTORS.find((known) => known === on)
  return executor ? { executor, shards: shards ?? 0 } : null
}

function problemOf({ path, message }: z.core.$ZodIssue): LaunchProblem {
  return { path: LAUNCH_FIELDS.find((known) => known === path[0]) ?? '(root)', message }
}

/**
 * Fills in the launch form from a plan; `suite` is its current version, null = unknown here. Null if the form cannot
 * express the plan: top-ups with repetitions per task, custom commands, and results reported by another program.
 */
export function launchAgain(plan: Plan, suite: Pick<Suite, 'tasks'> | null): LaunchFields | null {
  if (plan.topUpOf || plan.command !== null) return null
  const { subject, settings } = plan
  const planned = plan.tasks.map(({ taskId }) => taskId)
  const isWhole = suite !== null && suite.tasks.length === planned.length
  return readLaunchFields({
    suite: plan.suiteId,
    subject: subject.name,
    provider: providerName(subject.provider ?? ''),
    model: subject.modelRequested ?? '',
    tasks: isWhole ? '' : planned.join(','),
    repetitions: String(plan.repetitions),
    ...limitTexts(subject.modelRequested === null ? withoutNone(settings) : settings),
    isolation: settings.isolation,
    fault: settings.fault ?? '',
    browser: settings.browser ?? '',
    instruction: settings.customInstruction ?? '',
  })
}

/** Drops unset limits. */
function withoutNone(settings: Settings): SettingValues {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))
}
