import { z } from 'zod'

/** Identifier of a suite or task: also a folder name and a part of a URL. */
export const slugSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,79}$/,
    'expected at most 80 lower-case letters, digits, dots, dashes and underscores',
  )

const RUN_ID = /^run_[0-9a-z]{8,40}$/

/** Identifier of a run: one execution of a plan. */
export const runIdSchema = z.string().regex(RUN_ID, 'is not a run id')

/** True if a text can be a run id, which is also a folder name. */
export function isRunId(text: string): boolean {
  return RUN_ID.test(text)
}

/** A relative POSIX path that stays inside its folder: no leading slash, no `..`, no NUL, no backslash. */
export const relativePathSchema = z
  .string()
  .min(1)
  .max(300)
  .refine(isInside, 'expected a relative path that stays inside its folder')

function isInside(path: string): boolean {
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

/** ISO 8601 instant in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const instantSchema = z.iso.datetime({ precision: 3 })

/** The day since which a task has been public: `YYYY-MM-DD`. Not covered by a task's digest. */
export const releasedSchema = z.iso.date()

/** Milliseconds, never negative. */
export const durationMsSchema = z.number().nonnegative()

export const difficultySchema = z.enum(['easy', 'medium', 'hard', 'unknown'])

/** The provenance of an episode, weakest first. */
export const PROVENANCE_LEVELS = ['manual', 'token', 'oidc', 'local'] as const
export const provenanceSchema = z.enum(PROVENANCE_LEVELS)
export type Provenance = z.infer<typeof provenanceSchema>

/** Locator strategy of a library: CSS, role and name, a reference of its own snapshot, or coordinates. */
export const targetingSchema = z.enum(['css', 'role', 'ref', 'coordinates'])
export type Targeting = z.infer<typeof targetingSchema>

/** Component that injects a fault: the app's server, the harness through its own connection, or the proxy before the browser. */
export const BROWSER_FAULTS = {
  stall: { by: 'app', what: 'the response is delayed by 3 s' },
  'server-error': { by: 'app', what: 'the request fails once with 500' },
  'slow-dom': { by: 'app', what: 'the next page renders over 2 s' },
  're-render': {
    by: 'app',
    what: 'the page re-renders its elements between lookup and action, for less than 2 s',
  },
  overlay: { by: 'app', what: 'an overlay covers the page until it is dismissed' },
  'session-expiry': { by: 'app', what: 'the session expires, so the user has to sign in again' },
  'lost-response': { by: 'app', what: 'the change is applied, but the response is lost' },
  'renderer-crash': { by: 'browser', what: 'the renderer process crashes' },
  'closed-tab': { by: 'browser', what: 'the tab is closed' },
  dialog: { by: 'browser', what: 'an alert opens' },
  'dropped-connection': { by: 'proxy', what: 'the debugging connection is dropped' },
} as const

export const BROWSER_FAULT_KINDS = Object.keys(BROWSER_FAULTS) as [
  BrowserFaultKind,
  ...BrowserFaultKind[],
]

export const browserFaultKindSchema = z.enum(BROWSER_FAULT_KINDS)

export type BrowserFaultKind = keyof typeof BROWSER_FAULTS

export const shardSchema = z.object({
  index: z.number().int().positive(),
  count: z.number().int().positive(),
})
export type Shard = z.infer<typeof shardSchema>
