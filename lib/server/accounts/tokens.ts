import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import {
  createToken,
  findToken,
  listTokenRows as readTokens,
  revokeTokens,
  type StoredToken,
  touchToken,
} from '../../db/token-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type Actor, CONSOLE_ACTOR, type Scope } from '../../domain/accounts/index.ts'
import type { TokenView } from '../../domain/api/index.ts'
import { digestJson } from '../../domain/digest/index.ts'
import { USER_ACCOUNT } from '../../domain/ledger/index.ts'
import { AppError } from '../../errors.ts'
import type { ChangeAuthor } from './accounts.ts'
import { createSecret, hashSecret } from './setup-links.ts'

const SHOWN = 6
const DAY_MS = 86_400_000

type TokenRequest = {
  name: string
  scopes: readonly Scope[]
  /** Null = until it is revoked. */
  days: number | null
}

/** Creates a token. Returns its secret, which is not stored. */
export async function addToken(
  { name, scopes, days }: TokenRequest,
  by: ChangeAuthor,
): Promise<string> {
  const secret = `${TOKEN_MARK}${createSecret()}`
  const { actor, now, requestId = null } = by
  const token = {
    name,
    scopes,
    prefix: secret.slice(0, TOKEN_MARK.length + SHOWN),
    hash: hashSecret(secret),
    createdBy: actor.name,
    expiresAt: days === null ? null : new Date(now.getTime() + days * DAY_MS),
  }
  const detail = { prefix: token.prefix, scopes, days }
  const work = inTransaction(database(), async (tx) => {
    await createToken(tx, token, now)
    await recordAudit(tx, { actor, action: 'token.add', target: name, detail, requestId }, now)
  })
  await withDatabaseErrors(() => work)
  return secret
}

/** Revokes a token at once; the row stays. Throws an AppError. */
export async function revokeToken(
  id: string,
  { actor, now, requestId = null }: ChangeAuthor,
): Promise<StoredToken> {
  const work = inTransaction(database(), async (tx) => {
    const token = await findToken(tx, { id })
    if (!token) throw new AppError('not-found', 'no such token: nothing was changed')
    if ((await revokeTokens(tx, { id }, now)) === 0) {
      throw new AppError('conflict', `${token.name} is already revoked: nothing was changed`)
    }
    const detail = { prefix: token.prefix }
    const record = { actor, action: 'token.revoke', target: token.name, detail, requestId }
    await recordAudit(tx, record, now)
    return token
  })
  return withDatabaseErrors(() => work)
}

/** Lists all tokens, newest first. */
export async function listTokenViews(now = new Date()): Promise<TokenView[]> {
  return (await readTokens(database())).map((token) => toView(token, now))
}

function toView({ revokedAt, ...token }: StoredToken, now: Date): TokenView {
  const isOver = token.expiresAt !== null && token.expiresAt <= now
  return {
    ...token,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    state: revokedAt ? 'revoked' : isOver ? 'expired' : 'works',
  }
}

export type TokenActor = Extract<Actor, { kind: 'token' }>

const TOUCH_MS = 60_000

/** Prefix of every token's secret, so that people and scanners recognise one. */
const TOKEN_MARK = 'pb_'

const SHAPE = new RegExp(`^${TOKEN_MARK}[0-9A-Za-z]{43}$`)
const REFUSED =
  'This requires a valid token in the header "Authorization: Bearer pb_…". The token is missing, unknown, expired or revoked.'

/**
 * Returns the program of a request. Tokens are found by their hash, so that no comparison leaks timing; malformed,
 * unknown, expired and revoked ones get the same error. Throws an AppError (unauthorised, forbidden).
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
  const { id, name, scopes, createdBy } = known
  const account = accountOfCreator(createdBy)
  if (scopes.includes(scope))
    return { kind: 'token', id, name, scopes, ...(account && { account }) }
  throw new AppError('forbidden', `This token does not have the permission ${scope}.`)
}

/**
 * Returns the sender's account: tokens of one user count as one sender. The ledger is public, so the user's e-mail
 * address is a digest. Tokens of the console may be for anyone and belong to no account.
 */
function accountOfCreator(createdBy: string): string | null {
  if (createdBy === CONSOLE_ACTOR.name) return null
  const digest = digestJson(['account', createdBy.toLowerCase()])
  return `${USER_ACCOUNT}${digest.slice('sha256:'.length, 'sha256:'.length + 16)}`
}

/** Returns whether a request has a bearer token. */
export function hasBearer(headers: Headers): boolean {
  return /^bearer\b/i.test(headers.get('authorization') ?? '')
}

/** Returns the bearer token of a request; empty = none. */
export function readBearer(headers: Headers): string {
  return /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}
