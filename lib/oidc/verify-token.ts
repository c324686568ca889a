import { decodeJwt, errors, jwtVerify } from 'jose'
import type { Digest } from '#lib/domain/digest.ts'
import { readAudience, trimSlash } from '#lib/domain/oidc/payload-audience.ts'
import { type WorkflowClaims, workflowClaimsSchema } from '#lib/domain/oidc/workflow-claims.ts'
import { formatIssues, problemLines } from '#lib/domain/problem.ts'
import { AppError } from '#lib/errors.ts'
import type { KeyRing } from './issuer-keys.ts'

const MOST_CHARACTERS = 8192
const SKEW_SECONDS = 60
/** Nobody's workflow runs longer on one token; what was used has to be remembered this long. */
const LONGEST_LIFE = 24 * 60 * 60

export type Expected = { issuers: readonly string[]; audience: string; keys: KeyRing; now: Date }

/** A token that holds: what it says, and the payload it is for; null = it names none. */
export type VerifiedToken = { claims: WorkflowClaims; digest: Digest | null }

/**
 * Reads an identity token and believes nothing before its signature: the issuer has to be one of ours, the key the
 * issuer's own, the algorithm an asymmetric one that it declares. Throws an AppError: unauthorised with what is wrong,
 * or issuer-unreachable.
 */
export async function verifyToken(token: string, expected: Expected): Promise<VerifiedToken> {
  if (token.length > MOST_CHARACTERS) throw refuse('is longer than any identity token')
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
  if (claims.exp - claims.iat > LONGEST_LIFE) throw refuse('is valid for longer than a day')
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
      maxTokenAge: LONGEST_LIFE,
      requiredClaims: ['exp', 'iat', 'jti', 'aud', 'sub'],
    })
    return verified.payload
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse(sayFault(error), error)
  }
}

function sayFault(error: unknown): string {
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
