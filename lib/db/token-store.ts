import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type OidcRule, oidcRuleSchema, SCOPES, type Scope } from '../domain/accounts/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import type { DbOrTx } from './db.ts'
import type { ApiToken as TokenRow } from './generated/sqlite/client.ts'

/** A stored token, without its secret. */
export type StoredToken = Omit<TokenRow, 'hash' | 'scopes'> & { scopes: readonly Scope[] }

type NewToken = {
  name: string
  prefix: string
  hash: string
  scopes: readonly Scope[]
  createdBy: string
  expiresAt: Date | null
}

const scopesSchema = z.array(z.enum(SCOPES))

/** Lists all tokens, newest first, including expired and revoked ones. */
export async function listTokenRows(db: DbOrTx): Promise<StoredToken[]> {
  const rows = await db.apiToken.findMany({ orderBy: { createdAt: 'desc' } })
  return rows.map(toToken)
}

export async function createToken(tx: DbOrTx, token: NewToken, now: Date): Promise<string> {
  const id = `token_${randomUUID()}`
  const scopes = JSON.stringify(token.scopes)
  await tx.apiToken.create({ data: { id, ...token, scopes, createdAt: now } })
  return id
}

export async function findToken(
  db: DbOrTx,
  where: { id: string } | { hash: string },
): Promise<StoredToken | null> {
  const row = await db.apiToken.findUnique({ where })
  return row && toToken(row)
}

/** Revokes active tokens: one, or all of one user. Returns their number. */
export async function revokeTokens(
  tx: DbOrTx,
  which: { id: string } | { createdBy: string },
  now: Date,
): Promise<number> {
  const where = { ...which, revokedAt: null }
  return (await tx.apiToken.updateMany({ where, data: { revokedAt: now } })).count
}

/** Records the use of a token, unless that was recorded after `since`. */
export async function touchToken(db: DbOrTx, id: string, now: Date, since: Date): Promise<void> {
  const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: since } }] }
  await db.apiToken.updateMany({ where, data: { lastUsedAt: now } })
}

function toToken({ hash: _, scopes, ...row }: TokenRow): StoredToken {
  return { ...row, scopes: scopesSchema.parse(JSON.parse(scopes)) }
}

export type StoredRule = { id: string; rule: OidcRule; createdBy: string; createdAt: Date }

/** Lists the active rules, oldest first. */
export async function listOidcRules(db: DbOrTx): Promise<StoredRule[]> {
  const rows = await db.oidcRule.findMany({
    where: { removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ id, rule, createdBy, createdAt }) => {
    return { id, rule: oidcRuleSchema.parse(JSON.parse(rule)), createdBy, createdAt }
  })
}

export async function saveOidcRule(
  tx: DbOrTx,
  { rule, createdBy }: { rule: OidcRule; createdBy: string },
  now: Date,
): Promise<string> {
  const id = `rule_${randomBytes(6).toString('hex')}`
  await tx.oidcRule.create({ data: { id, rule: JSON.stringify(rule), createdBy, createdAt: now } })
  return id
}

/** Removes a rule. False = it does not exist. */
export async function removeOidcRule(tx: DbOrTx, id: string, now: Date): Promise<boolean> {
  const where = { id, removedAt: null }
  return (await tx.oidcRule.updateMany({ where, data: { removedAt: now } })).count > 0
}

type Spent = { issuer: string; jti: string; bodyDigest: Digest; expiresAt: Date }

/**
 * Binds a one-time token to the first body sent with it, and returns the digest of that body. Deletes tokens that
 * expired before `now`, which are rejected anyway.
 */
export async function spendToken(db: DbOrTx, spent: Spent, now: Date): Promise<string> {
  const { issuer, jti } = spent
  await db.spentToken.deleteMany({ where: { expiresAt: { lt: now } } })
  // One statement, so that two concurrent bodies cannot both be first.
  await db.spentToken.upsert({ where: { issuer_jti: { issuer, jti } }, create: spent, update: {} })
  const before = await db.spentToken.findUniqueOrThrow({ where: { issuer_jti: { issuer, jti } } })
  return before.bodyDigest
}
