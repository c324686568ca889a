import { randomUUID } from 'node:crypto'
import {
  countTry,
  type LockRule,
  lockedMs,
  ROLES,
  type Role,
  type Tries,
} from '../domain/accounts/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import type { Prisma, SignInThrottle } from './generated/sqlite/client.ts'
import { inTransaction } from './transaction.ts'

/** A person who has an account. */
export type Account = ReturnType<typeof toAccount>

const INCLUDED = {
  credentials: { where: { providerId: 'credential' }, select: { password: true } },
  sessions: { select: { expiresAt: true, createdAt: true } },
} satisfies Prisma.UserInclude

type UserRow = Prisma.UserGetPayload<{ include: typeof INCLUDED }>

/** Lists all accounts, oldest first. */
export async function listAccountRows(db: DbOrTx, now: Date): Promise<Account[]> {
  const rows = await db.user.findMany({ include: INCLUDED, orderBy: { createdAt: 'asc' } })
  return rows.map((row) => toAccount(row, now))
}

/** Finds an account by id or e-mail address; null = there is none. */
export async function findAccount(
  db: DbOrTx,
  where: { id: string } | { email: string },
  now: Date,
): Promise<Account | null> {
  const row = await db.user.findUnique({ where, include: INCLUDED })
  return row && toAccount(row, now)
}

export function countUsers(db: DbOrTx): Promise<number> {
  return db.user.count()
}

/** Counts administrators other than `id` who may sign in and have a password. */
export function countOtherAdmins(db: DbOrTx, id: string): Promise<number> {
  return db.user.count({
    where: {
      id: { not: id },
      role: 'admin',
      disabledAt: null,
      credentials: { some: { password: { not: null } } },
    },
  })
}

type NewUser = { email: string; name: string; role: Role; passwordHash: string | null }

/** Adds an account; call it inside a transaction. Throws an AppError when the e-mail address has one already. */
export async function createUser(tx: DbOrTx, user: NewUser, now: Date): Promise<string> {
  const { passwordHash, ...columns } = user
  if (await tx.user.findUnique({ where: { email: user.email }, select: { id: true } })) {
    throw new AppError('conflict', `${user.email} has an account already: nothing was changed.`)
  }
  const id = `user_${randomUUID()}`
  await tx.user.create({
    data: { id, ...columns, emailVerified: false, createdAt: now, updatedAt: now },
  })
  if (passwordHash !== null) await savePassword(tx, id, passwordHash, now)
  return id
}

export async function updateUser(
  tx: DbOrTx,
  id: string,
  change: { role?: Role; disabledAt?: Date | null },
  now: Date,
): Promise<void> {
  await tx.user.update({ where: { id }, data: { ...change, updatedAt: now } })
}

/** Stores the hash of a user's new password. */
export async function savePassword(
  tx: DbOrTx,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const where = { userId, providerId: 'credential' }
  const update = { password: passwordHash, updatedAt: now }
  const { count } = await tx.userCredential.updateMany({ where, data: update })
  if (count > 0) return
  const id = `credential_${randomUUID()}`
  await tx.userCredential.create({
    data: { id, accountId: userId, ...where, ...update, createdAt: now },
  })
}

/** Returns the hash of a user's password; null = they have none. */
export async function findPasswordHash(db: DbOrTx, userId: string): Promise<string | null> {
  const where = { userId, providerId: 'credential' }
  return (await db.userCredential.findFirst({ where }))?.password ?? null
}

function toAccount({ credentials, sessions, role, ...row }: UserRow, now: Date) {
  const { id, name, email, disabledAt, createdAt } = row
  const starts = sessions.map((session) => session.createdAt.getTime())
  return {
    id,
    name,
    email,
    disabledAt,
    createdAt,
    role: ROLES.find((known) => known === role) ?? ('viewer' as const),
    /** False = they have not used their one-time link yet. */
    hasPassword: credentials.some(({ password }) => password !== null),
    /** Number of active sessions. */
    sessions: sessions.filter(({ expiresAt }) => expiresAt > now).length,
    lastSignInAt: starts.length > 0 ? new Date(Math.max(...starts)) : null,
  }
}

/** Lists a user's active sessions, newest first, without their tokens. */
export async function listSessions(db: DbOrTx, userId: string, now: Date) {
  return db.userSession.findMany({
    where: { userId, expiresAt: { gt: now } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, createdAt: true, expiresAt: true, userAgent: true, ipAddress: true },
  })
}

/** Returns whether an account exists and is not disabled. */
export async function isAccountOpen(db: DbOrTx, id: string): Promise<boolean> {
  return (await db.user.count({ where: { id, disabledAt: null } })) === 1
}

/** Ends one session of any user. */
export async function endSession(tx: DbOrTx, id: string): Promise<void> {
  await tx.userSession.deleteMany({ where: { id } })
}

/** Ends a user's sessions: one of them, or all but one. Returns their number. */
export async function endSessions(
  tx: DbOrTx,
  userId: string,
  which: { only: string } | { except: string | null },
): Promise<number> {
  const id = 'only' in which ? which.only : { not: which.except ?? '' }
  return (await tx.userSession.deleteMany({ where: { userId, id } })).count
}

const INVITATION = 'password-link:'

/** Stores a set-up link beside those that are still valid, since each web server prints its own. */
export async function addSetupLink(
  tx: DbOrTx,
  tokenHash: string,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await tx.setupLink.deleteMany({ where: { usedAt: null, expiresAt: { lte: now } } })
  await tx.setupLink.create({ data: { tokenHash, createdAt: now, expiresAt } })
}

/**
 * Uses up a set-up link. False = it is unknown, expired or used. Requires a transaction, so that only one of two can
 * succeed.
 */
export async function spendSetupLink(tx: DbOrTx, tokenHash: string, now: Date): Promise<boolean> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } }
  return (await tx.setupLink.updateMany({ where, data: { usedAt: now } })).count === 1
}

export async function isSetupLinkOpen(db: DbOrTx, tokenHash: string, now: Date): Promise<boolean> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } }
  return (await db.setupLink.count({ where })) === 1
}

/** Stores the link with which a user sets their password, replacing earlier ones. */
export async function replaceInvitation(
  tx: DbOrTx,
  { tokenHash, userId }: { tokenHash: string; userId: string },
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await voidInvitations(tx, userId)
  const id = `verification_${randomUUID()}`
  const columns = { identifier: `${INVITATION}${tokenHash}`, value: userId, expiresAt }
  await tx.verification.create({ data: { id, ...columns, createdAt: now, updatedAt: now } })
}

/** Returns the user of a link; null = it is unknown, expired or used. */
export async function findInvited(
  db: DbOrTx,
  tokenHash: string,
  now: Date,
): Promise<string | null> {
  const where = { identifier: `${INVITATION}${tokenHash}`, expiresAt: { gt: now } }
  return (await db.verification.findFirst({ where }))?.value ?? null
}

/** Voids all open links of a user. */
export async function voidInvitations(tx: DbOrTx, userId: string): Promise<void> {
  await tx.verification.deleteMany({
    where: { identifier: { startsWith: INVITATION }, value: userId },
  })
}

export type TryKey = { key: string; rule: LockRule }

/** Result of a counted attempt: how long sign-in stays locked (0 = not locked), and which keys it has locked. */
type TryResult = { waitMs: number; locked: string[] }

const RETENTION_MS = 2 * 86_400_000

/** Counts an attempt under every key, or under none while one of them is locked. */
export async function countSignInTry(
  db: Db,
  keys: readonly TryKey[],
  now: Date,
): Promise<TryResult> {
  const at = now.getTime()
  const work = inTransaction(db, async (tx): Promise<TryResult> => {
    const names = keys.map(({ key }) => key)
    const rows = await tx.signInThrottle.findMany({ where: { key: { in: names } } })
    const known = new Map(rows.map((row) => [row.key, toTries(row)]))
    const waits = keys.map(({ key, rule }) => lockedMs(known.get(key) ?? null, rule, at))
    const waitMs = Math.max(0, ...waits)
    if (waitMs > 0) return { waitMs, locked: [] }
    const locked: string[] = []
    for (const { key, rule } of keys) {
      const tries = countTry(known.get(key) ?? null, rule, at)
      await saveTries(tx, key, tries)
      if (tries.lockedUntil !== null) locked.push(key)
    }
    const old = new Date(at - RETENTION_MS)
    await tx.signInThrottle.deleteMany({
      where: {
        windowStart: { lt: old },
        OR: [{ lockedUntil: null }, { lockedUntil: { lt: old } }],
      },
    })
    return { waitMs: 0, locked }
  })
  return withDatabaseErrors(() => work)
}

/** Removes the attempts under some keys; returns the number of keys. */
export async function forgetSignInTries(db: DbOrTx, keys: readonly string[]): Promise<number> {
  return (await db.signInThrottle.deleteMany({ where: { key: { in: [...keys] } } })).count
}

/** Removes the attempts for one account from all addresses; returns the number of counts. */
export async function forgetAccountTries(db: DbOrTx, email: string): Promise<number> {
  const own = `email:${email}`
  // Counts by address have a space after the key; the next character is an exclamation mark.
  const where = { OR: [{ key: own }, { key: { gte: `${own} `, lt: `${own}!` } }] }
  return (await db.signInThrottle.deleteMany({ where })).count
}

async function saveTries(tx: DbOrTx, key: string, tries: Tries): Promise<void> {
  const columns = {
    failures: tries.failures,
    windowStart: new Date(tries.since),
    lockedUntil: tries.lockedUntil === null ? null : new Date(tries.lockedUntil),
  }
  await tx.signInThrottle.upsert({ where: { key }, create: { key, ...columns }, update: columns })
}

function toTries({ failures, windowStart, lockedUntil }: SignInThrottle): Tries {
  return { failures, since: windowStart.getTime(), lockedUntil: lockedUntil?.getTime() ?? null }
}
