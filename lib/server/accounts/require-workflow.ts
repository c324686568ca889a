import { decodeJwt, errors, jwtVerify } from 'jose'
import { database } from '../../db/database.ts'
import { listOidcRules, spendToken } from '../../db/token-store.ts'
import {
  type Actor,
  findForkProblem,
  findRuleProblem,
  type OidcRule,
  readAudience,
  toVouched,
  trimSlash,
  type Vouched,
  type WorkflowClaims,
  workflowClaimsSchema,
} from '../../domain/accounts/index.ts'
import type { Digest } from '../../domain/digest/index.ts'
import { formatIssues, problemLines } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { processWide } from '../../process-wide.ts'
import { KeyRing } from './issuer-keys.ts'

type WorkflowActor = Extract<Actor, { kind: 'workflow' }>

/** A workflow that may send results, before its body is received. */
type Admitted = VerifiedToken & { actor: WorkflowActor }

/** Covers clock differences and the slowest body: no request opened by a token lasts longer. */
const REMEMBERED_MS = 20 * 60_000
const ownKeys = () => processWide('key ring', () => new KeyRing())

/** Returns whether a secret is an identity token, three parts with dots, rather than one of this server. */
export function looksLikeIdentity(secret: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(secret)
}

/** Returns the workflow that a token identifies. Throws an AppError: unauthorised, forbidden or issuer-unreachable. */
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
 * Binds a token to its body. A token names its body, or else can only ever submit its first body; repeating that is the
 * same request, since a response may have been lost. Every verified use counts, not only a commit, so that one token
 * cannot try several bodies. Throws an AppError.
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

/** Returns the rule that allows these claims; one that accepts a token without a payload comes first. */
function chooseRule(rules: readonly OidcRule[], claims: WorkflowClaims): OidcRule {
  const fitting = rules.filter((rule) => findRuleProblem(rule, claims) === null)
  const best = fitting.find(({ plainAudience }) => plainAudience) ?? fitting[0]
  if (best) return best
  const near = rules.find((rule) => rule.repositoryId === claims.repository_id) ?? rules[0]
  const why = near ? findRuleProblem(near, claims) : 'no workflows are allowed yet'
  const { repository_id: repository, repository_owner_id: owner, ref } = claims
  // The message may be pasted into a shell, and a branch can have any name.
  const shownRef = /^[\w./-]+$/.test(ref) ? ref : '<ref>'
  const command = `npx proofboard server oidc allow --repository-id ${repository} --owner-id ${owner} --ref ${shownRef}`
  throw forbidden(`${why}. An administrator of this server can allow it: ${command}`)
}

/** Builds the actor. The name is for reading in the audit log; the id stays when a repository is renamed. */
function toActor(claims: WorkflowClaims): WorkflowActor {
  const { iss, repository_id, repository_owner_id: owner, repository, run_id } = claims
  return {
    kind: 'workflow',
    id: `${iss} ${repository_id}`,
    name: `${repository} run ${run_id}`,
    account: `owner:${iss} ${owner}`,
  }
}

function forbidden(why: string): AppError {
  return new AppError('forbidden', `This workflow is not allowed to upload results: ${why}`)
}

const MAX_CHARACTERS = 8192
const SKEW_SECONDS = 60
/** Maximum lifetime of a token in seconds. No workflow needs more, and spent tokens are remembered this long. */
const MAX_LIFE_SECONDS = 24 * 60 * 60

type Expected = { issuers: readonly string[]; audience: string; keys: KeyRing; now: Date }

/** A valid token: its claims, and the payload it is for; null = it names none. */
type VerifiedToken = { claims: WorkflowClaims; digest: Digest | null }

/**
 * Verifies an identity token, and trusts nothing before its signature: the issuer has to be allowed, the key one of the
 * issuer's, the algorithm asymmetric and declared by it. Throws an AppError: unauthorised with the reason, or
 * issuer-unreachable.
 */
async function verifyToken(token: string, expected: Expected): Promise<VerifiedToken> {
  if (token.length > MAX_CHARACTERS) throw refuse('is longer than any identity token')
  const issuer = readIssuer(token)
  if (!expected.issuers.includes(issuer))
    throw refuse(
      `comes from ${JSON.stringify(issuer.slice(0, 200))}, which is not a trusted issuer of this server`,
    )
  const { getKey, algorithms } = await expected.keys.of(issuer)
  const payload = await check(token, { issuer, algorithms, getKey, now: expected.now })
  const parsed = workflowClaimsSchema.safeParse(payload)
  if (!parsed.success) {
    const lines = problemLines(formatIssues(parsed.error.issues), 3)
    throw refuse(`lacks required claims: ${lines.join('; ')}`)
  }
  const claims = parsed.data
  if (claims.exp - claims.iat > MAX_LIFE_SECONDS) throw refuse('is valid for longer than a day')
  const audience = readAudience(claims.aud)
  const wanted = trimSlash(expected.audience)
  if (audience?.base !== wanted)
    throw refuse(
      `is for ${JSON.stringify(claims.aud.slice(0, 200))}: ask for one for ${wanted}#sha256=<digest of the body>`,
    )
  return { claims, digest: audience.digest }
}

function readIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    throw refuse('is not a valid JWT')
  }
}

type Check = { issuer: string; now: Date } & Awaited<ReturnType<KeyRing['of']>>

async function check(token: string, { issuer, algorithms, getKey, now }: Check): Promise<unknown> {
  try {
    const verified = await jwtVerify(token, getKey, {
      issuer,
      algorithms,
      currentDate: now,
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: MAX_LIFE_SECONDS,
      requiredClaims: ['exp', 'iat', 'jti', 'aud', 'sub'],
    })
    return verified.payload
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse(describeFault(error), error)
  }
}

function describeFault(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'has expired: ask for a new one'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'nbf' || error.claim === 'iat') return 'is not valid yet: check the clocks'
    return `has an invalid claim: ${error.claim}`
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'is not signed by its issuer'
  if (error instanceof errors.JWKSNoMatchingKey) return 'is signed with an unknown key'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'is signed with an unsupported algorithm'
  return 'cannot be verified'
}

function refuse(what: string, cause?: unknown): AppError {
  return new AppError('unauthorised', `The identity token ${what}. Nothing was stored.`, { cause })
}
