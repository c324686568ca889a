import { database } from '#lib/db/database.ts'
import { listOidcRules, spendToken } from '#lib/db/oidc-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import type { Digest } from '#lib/domain/digest.ts'
import { findForkProblem, findRuleProblem, type OidcRule } from '#lib/domain/oidc/oidc-rule.ts'
import { toVouched, type Vouched, type WorkflowClaims } from '#lib/domain/oidc/workflow-claims.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { KeyRing } from './issuer-keys.ts'
import { type VerifiedToken, verifyToken } from './verify-token.ts'

export type WorkflowActor = Extract<Actor, { kind: 'workflow' }>

/** A workflow that may send results, before its body is here. */
export type Admitted = VerifiedToken & { actor: WorkflowActor }

/** Clocks that differ, and the slowest body: no request that a token opened is under way after this. */
const REMEMBERED_MS = 20 * 60_000
const shared = globalThis as { proofboardKeyRing?: KeyRing }

/** Every copy of this module that a bundler makes asks the same keys. */
function ownKeys(): KeyRing {
  shared.proofboardKeyRing ??= new KeyRing()
  return shared.proofboardKeyRing
}

/** Three parts with dots between them: a token of identity, not one of ours. */
export function looksLikeIdentity(secret: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(secret)
}

/** The workflow that a token speaks for. Throws an AppError: unauthorised, forbidden or issuer-unreachable. */
export async function requireWorkflow(
  token: string,
  now: Date,
  keys: KeyRing = ownKeys(),
): Promise<Admitted> {
  const { oidcIssuers, oidcAudience } = env()
  const expected = { issuers: oidcIssuers, audience: oidcAudience, keys, now }
  const verified = await verifyToken(token, expected)
  const { claims } = verified
  const fork = findForkProblem(claims)
  if (fork !== null) throw forbidden(`${fork}: results come from the repository's own code.`)
  const rules = (await listOidcRules(database())).map(({ rule }) => rule)
  const rule = chooseRule(rules, claims)
  if (verified.digest === null && !rule.plainAudience) {
    const message = `the token does not name the payload: request one for the audience ${oidcAudience}#sha256=<digest of the body>, as proofboard submit does.`
    throw forbidden(message)
  }
  return { ...verified, actor: toActor(claims) }
}

/**
 * Holds a token against the body it came with. A token names its body, or else its first body is the only one it ever
 * stands for; the same body again is the same request, since an answer may have been lost on its way. Spent by any
 * verified use, not only by a commit, so that nobody can try several bodies with one token. Throws an AppError.
 */
export async function bindToken(
  { claims, digest }: Admitted,
  body: Digest,
  now: Date,
): Promise<Vouched> {
  if (digest !== null && digest !== body)
    throw new AppError(
      'unauthorised',
      `The identity token is for a body with digest ${digest}, and this one has ${body}. Nothing was stored.`,
    )
  const expiresAt = new Date(claims.exp * 1000 + REMEMBERED_MS)
  const spent = { issuer: claims.iss, jti: claims.jti, bodyDigest: body, expiresAt }
  const first = await spendToken(database(), spent, now)
  if (first !== body)
    throw new AppError(
      'unauthorised',
      'The identity token was already used with another body: ask for a new one. Nothing was stored.',
    )
  return toVouched(claims, digest === null ? 'first-use' : 'audience')
}

/** The rule that lets these claims in; one that also takes a token without a payload comes first. */
function chooseRule(rules: readonly OidcRule[], claims: WorkflowClaims): OidcRule {
  const fitting = rules.filter((rule) => findRuleProblem(rule, claims) === null)
  const best = fitting.find(({ plainAudience }) => plainAudience) ?? fitting[0]
  if (best) return best
  const near = rules.find((rule) => rule.repositoryId === claims.repository_id) ?? rules[0]
  const why = near ? findRuleProblem(near, claims) : 'no workflows are allowed yet'
  const { repository_id: repository, repository_owner_id: owner, ref } = claims
  // Somebody may copy this into a shell, and a branch can be called anything.
  const shownRef = /^[\w./-]+$/.test(ref) ? ref : '<ref>'
  const command = `npx proofboard oidc allow --repository-id ${repository} --owner-id ${owner} --ref ${shownRef}`
  throw forbidden(`${why}. An administrator of this server can allow it: ${command}`)
}

/** The name is for reading in the audit log; the id is what stays when a repository is renamed. */
function toActor({ iss, repository_id, repository, run_id }: WorkflowClaims): WorkflowActor {
  return { kind: 'workflow', id: `${iss} ${repository_id}`, name: `${repository} run ${run_id}` }
}

function forbidden(why: string): AppError {
  return new AppError('forbidden', `This workflow is not allowed to upload results: ${why}`)
}
