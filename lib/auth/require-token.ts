import { database } from '#lib/db/database.ts'
import { findToken, touchToken } from '#lib/db/token-store.ts'
import type { Actor, Scope } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { hashSecret } from './secret-text.ts'
import { TOKEN_MARK } from './token-mark.ts'

export type TokenActor = Extract<Actor, { kind: 'token' }>

const TOUCH_MS = 60_000
const SHAPE = new RegExp(`^${TOKEN_MARK}[0-9A-Za-z]{43}$`)
const REFUSED =
  'This requires a valid token in the header "Authorization: Bearer pb_…". The token is missing, unknown, expired or revoked.'

/**
 * The program behind a request, or a refusal. Tokens are found by their hash, so nothing compares secrets byte by byte;
 * what is malformed, unknown, expired or revoked is refused alike. Throws an AppError (unauthorised, forbidden).
 */
export async function requireToken(
  headers: Headers,
  scope: Scope,
  now = new Date(),
): Promise<TokenActor> {
  const secret = readBearer(headers)
  const known = SHAPE.test(secret)
    ? await findToken(database(), { hash: hashSecret(secret) })
    : null
  const isOver = known?.expiresAt && known.expiresAt <= now
  if (!known || known.revokedAt || isOver) throw new AppError('unauthorised', REFUSED)
  await touchToken(database(), known.id, now, new Date(now.getTime() - TOUCH_MS))
  const { id, name, scopes } = known
  if (scopes.includes(scope)) return { kind: 'token', id, name, scopes }
  throw new AppError('forbidden', `This token does not have the permission ${scope}.`)
}

/** Does a request say that it comes from a program? */
export function hasBearer(headers: Headers): boolean {
  return /^bearer\b/i.test(headers.get('authorization') ?? '')
}

/** What a request shows as its bearer token; empty = nothing. */
export function readBearer(headers: Headers): string {
  return /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}
