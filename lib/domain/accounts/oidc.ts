import { z } from 'zod'
import { type Digest, digestSchema } from '../digest/index.ts'

const allowedId = z.string().regex(/^\d{1,20}$/, 'expected the number that GitHub gives it')
const pattern = z
  .string()
  .min(1)
  .max(300)
  .regex(/^[\x21-\x7e]+$/, 'expected letters without spaces, * and **')

/** Events that run only the repository's own code; the default of a rule that names no events. */
const OWN_EVENTS = ['push', 'schedule', 'workflow_dispatch', 'release', 'repository_dispatch']
/** These events can run code from forks, so no rule accepts them. */
const FORK_EVENTS = new Set(['pull_request', 'pull_request_target', 'pull_request_review'])

/**
 * Selects the workflows whose tokens are accepted. Rules match ids, never names, because a released name can be taken
 * by another account.
 */
export const oidcRuleSchema = z.object({
  issuer: z.url().max(300),
  repositoryId: allowedId,
  repositoryOwnerId: allowedId,
  /** `refs/heads/main`; `*` matches anything but a slash, `**` matches anything. */
  ref: pattern,
  /** `.github/workflows/bench.yml` of the repository itself, or `owner/repo/.github/…@ref` of a shared one. Null = any. */
  workflow: pattern.nullable(),
  environment: z.string().min(1).max(255).nullable(),
  /** Null = events that run only the repository's own code. */
  events: z
    .array(z.string().regex(/^[a-z_]{1,40}$/))
    .min(1)
    .max(20)
    .nullable(),
  /** Also accept tokens that do not name the payload's digest: each for the first body it is sent with. */
  plainAudience: z.boolean(),
})
export type OidcRule = z.infer<typeof oidcRuleSchema>

/** Returns the first mismatch between rule and claims, as the end of a sentence; null = the claims match. */
export function findRuleProblem(rule: OidcRule, claims: WorkflowClaims): string | null {
  if (rule.issuer !== claims.iss) return `the issuer is ${claims.iss}`
  if (rule.repositoryId !== claims.repository_id)
    return `repository id ${claims.repository_id} is not allowed`
  if (rule.repositoryOwnerId !== claims.repository_owner_id)
    return `the repository belongs to owner id ${claims.repository_owner_id} now, which is not allowed`
  if (!matchGlob(rule.ref, claims.ref)) return `ref ${claims.ref} is not ${rule.ref}`
  const events = rule.events ?? OWN_EVENTS
  if (!events.includes(claims.event_name))
    return `event ${claims.event_name} is not one of ${events.join(', ')}`
  if (rule.environment !== null && rule.environment !== claims.environment)
    return `environment ${claims.environment ?? 'none'} is not ${rule.environment}`
  if (rule.workflow !== null && !matchWorkflow(rule.workflow, claims))
    return `workflow ${claims.job_workflow_ref} is not ${rule.workflow}`
  return null
}

/** Reports runs that may contain code from a fork, which no rule can allow; null = none. */
export function findForkProblem({ event_name: event, ref }: WorkflowClaims): string | null {
  if (FORK_EVENTS.has(event)) return `event ${event} may run the code of a fork`
  if (ref.startsWith('refs/pull/')) return `ref ${ref} is a pull request, which may be a fork's`
  return null
}

/** A path alone means the repository's own file at any ref: the token's two names are only compared with each other. */
function matchWorkflow(
  wanted: string,
  { job_workflow_ref: message, repository }: WorkflowClaims,
): boolean {
  if (!wanted.startsWith('.github/')) return matchGlob(wanted, message)
  const own = `${repository}/`
  if (!message.startsWith(own)) return false
  const path = message.slice(own.length)
  return matchGlob(wanted.includes('@') ? wanted : `${wanted}@**`, path)
}

/**
 * True if the whole text matches the pattern: `*` matches anything but a slash, `**` anything, every other character
 * itself. Takes time proportional to both lengths, whatever the pattern.
 */
export function matchGlob(pattern: string, text: string): boolean {
  const parts = pattern.match(/\*+|[^*]/gu) ?? []
  const letters = [...text]
  // End positions in the text that the pattern so far can reach.
  let reached = new Set([0])
  for (const part of parts) {
    reached = part.startsWith('*')
      ? skip(letters, reached, part === '*')
      : step(letters, reached, part)
  }
  return reached.has(letters.length)
}

function step(letters: readonly string[], reached: ReadonlySet<number>, letter: string) {
  return new Set([...reached].filter((at) => letters[at] === letter).map((at) => at + 1))
}

function skip(letters: readonly string[], reached: ReadonlySet<number>, staysBeforeSlash: boolean) {
  const next = new Set<number>()
  for (const start of reached) {
    // Stop at a position that an earlier start reached: it already went as far as this one would.
    for (let at = start; at <= letters.length && !next.has(at); at++) {
      next.add(at)
      if (staysBeforeSlash && letters[at] === '/') break
    }
  }
  return next
}

const MAX_TEXT_CHARS = 500
const text = z.string().min(1).max(MAX_TEXT_CHARS)
/** GitHub writes its numbers as text. */
const claimedId = z.union([
  z.string().regex(/^\d{1,20}$/),
  z.number().int().nonnegative().transform(String),
])

const claimsSchema = z.object({
  iss: text,
  sub: text,
  aud: z.string().min(1).max(MAX_TEXT_CHARS),
  exp: z.number().int(),
  iat: z.number().int(),
  jti: text,
  repository: text,
  repository_id: claimedId,
  repository_owner: text,
  repository_owner_id: claimedId,
  ref: text,
  sha: z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/),
  event_name: text,
  workflow_ref: text.optional(),
  job_workflow_ref: text.optional(),
  environment: text.optional(),
  run_id: claimedId,
  run_attempt: claimedId,
  actor: text.optional(),
  actor_id: claimedId,
  runner_environment: text.optional(),
})

/**
 * Required claims of a workflow's identity token, by its issuer's names; older issuers name the workflow in one way
 * only.
 */
export const workflowClaimsSchema = claimsSchema.transform((claims, context) => {
  const workflow = claims.job_workflow_ref ?? claims.workflow_ref
  if (workflow !== undefined) return { ...claims, job_workflow_ref: workflow }
  context.addIssue({ code: 'custom', path: ['job_workflow_ref'], message: 'is missing' })
  return z.NEVER
})
export type WorkflowClaims = z.infer<typeof workflowClaimsSchema>

/** Token data stored with its runs. Names are for display only; all decisions use the ids. */
export const vouchedSchema = z.object({
  issuer: text,
  repository: text,
  repositoryId: claimedId,
  repositoryOwnerId: claimedId,
  ref: text,
  sha: text,
  workflowRef: text,
  environment: text.nullable(),
  event: text,
  runId: claimedId,
  runAttempt: claimedId,
  actorId: claimedId,
  runner: text.nullable(),
  jti: text,
  /** `audience` = the token names the payload's digest; `first-use` = the token was used once, with this payload. */
  boundBy: z.enum(['audience', 'first-use']),
})
export type Vouched = z.infer<typeof vouchedSchema>

export function toVouched(claims: WorkflowClaims, boundBy: Vouched['boundBy']): Vouched {
  return {
    issuer: claims.iss,
    repository: claims.repository,
    repositoryId: claims.repository_id,
    repositoryOwnerId: claims.repository_owner_id,
    ref: claims.ref,
    sha: claims.sha,
    workflowRef: claims.job_workflow_ref,
    environment: claims.environment ?? null,
    event: claims.event_name,
    runId: claims.run_id,
    runAttempt: claims.run_attempt,
    actorId: claims.actor_id,
    runner: claims.runner_environment ?? null,
    jti: claims.jti,
    boundBy,
  }
}

/** The stable identity of the sender: a repository keeps its id when it is renamed. */
export function voucherOf({ issuer, repositoryId }: Vouched): string {
  return `${issuer} ${repositoryId}`
}

/** The audience is the only claim that an issuer lets a workflow choose, so it carries the payload's digest. */
const MARK = '#sha256='

export function writeAudience(base: string, digest: Digest): string {
  return `${base}${MARK}${digest.replace('sha256:', '')}`
}

/** Splits an audience. `digest` null = the token is for the whole server, not for one payload. */
export function readAudience(audience: string): { base: string; digest: Digest | null } | null {
  const at = audience.indexOf(MARK)
  if (at === -1) return { base: trimSlash(audience), digest: null }
  const digest = digestSchema.safeParse(`sha256:${audience.slice(at + MARK.length)}`)
  return digest.success ? { base: trimSlash(audience.slice(0, at)), digest: digest.data } : null
}

/** Removes trailing slashes, which do not change an issuer's address. */
export function trimSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address
}
