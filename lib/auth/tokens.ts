import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import {
  createToken,
  findToken,
  type KeptToken,
  listTokens as readTokens,
  revokeTokens,
} from '#lib/db/token-store.ts'
import type { Scope } from '#lib/domain/access.ts'
import type { TokenView } from '#lib/domain/views/token-view.ts'
import { AppError } from '#lib/errors.ts'
import type { By } from './accounts.ts'
import { drawSecret, hashSecret } from './secret-text.ts'
import { TOKEN_MARK } from './token-mark.ts'

const SHOWN = 6
const DAY_MS = 86_400_000

export type TokenRequest = {
  name: string
  scopes: readonly Scope[]
  /** Null = until it is revoked. */
  days: number | null
}

/** Makes a token. Its secret is the answer, and is kept nowhere. */
export async function addToken({ name, scopes, days }: TokenRequest, by: By): Promise<string> {
  const secret = `${TOKEN_MARK}${drawSecret()}`
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
  const work = database().$transaction(async (tx) => {
    await createToken(tx, token, now)
    await recordAudit(tx, { actor, action: 'token.add', target: name, detail, requestId }, now)
  })
  await withDatabaseErrors(() => work)
  return secret
}

/** Ends a token at once; the row stays. Throws an AppError. */
export async function revokeToken(
  id: string,
  { actor, now, requestId = null }: By,
): Promise<KeptToken> {
  const work = database().$transaction(async (tx) => {
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

/** Every token, newest first. */
export async function listTokens(now = new Date()): Promise<TokenView[]> {
  return (await readTokens(database())).map((token) => toView(token, now))
}

function toView({ revokedAt, ...token }: KeptToken, now: Date): TokenView {
  const isOver = token.expiresAt !== null && token.expiresAt <= now
  return {
    ...token,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    state: revokedAt ? 'revoked' : isOver ? 'expired' : 'works',
  }
}
