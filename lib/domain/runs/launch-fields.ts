import { z } from 'zod'
import { limitTexts } from '../planner/index.ts'
import { LIMIT_LIST, SETTINGS } from '../record/index.ts'

/** The fields of the launch form, as they are in the URL, in a preset and in the submitted form. */
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

/** The typed values by field; empty where nothing was typed. */
export type LaunchFields = Record<LaunchField, string>

/** A validation error of a field; `(root)` = the whole form. */
export type LaunchProblem = { path: LaunchField | '(root)'; message: string }

/** Where a run works, unless an engine is chosen. */
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

/** Names of a thousand tasks; everything else is short. */
const MOST_TASKS_TEXT = 20_000
const MOST_TEXT = 200
const MOST_OF: Partial<Record<LaunchField, number>> = {
  tasks: MOST_TASKS_TEXT,
  instruction: 5000,
  // The form is in a URL, of which a server reads 16 kB.
  arms: 8000,
}

const mostOf = (field: LaunchField) => MOST_OF[field] ?? MOST_TEXT

/** Fills in what a URL leaves out; the first of a repeated parameter counts. */
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

const text = (field: LaunchField) =>
  z
    .string({ error: 'Send this field once, as text.' })
    .max(mostOf(field), `Use at most ${mostOf(field).toLocaleString('en-US')} characters.`)
    .default('')

/** The fields as a form sends them, each once; `parseLaunch` interprets them. */
export const launchFieldsSchema = z.object(
  Object.fromEntries(LAUNCH_FIELDS.map((field) => [field, text(field)])) as Record<
    LaunchField,
    ReturnType<typeof text>
  >,
)
