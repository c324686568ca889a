import { verifyPassword } from 'better-auth/crypto'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { DbOrTx, Tx } from '../../db/db.ts'
import { revokeTokens } from '../../db/token-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  type Account,
  countOtherAdmins,
  countSignInTry,
  countUsers,
  createUser,
  endSessions,
  findAccount,
  findPasswordHash,
  forgetAccountTries,
  forgetSignInTries,
  listSessions,
  listAccountRows as readAccounts,
  replaceInvitation,
  savePassword,
  updateUser,
  voidInvitations,
} from '../../db/user-store.ts'
import { ACCOUNT_RULE, type Actor, formatLockOut, type Role } from '../../domain/accounts/index.ts'
import type { AccountView, SessionView } from '../../domain/api/index.ts'
import { AppError } from '../../errors.ts'
import { findSessionId, type UserActor } from './auth.ts'
import { hashNewPassword, linkFor, newLink } from './setup-links.ts'

/** The actor, time and id of a request. */
export type ChangeAuthor = { actor: Actor; now: Date; requestId?: string | null }
/** An account by its id (pages) or its e-mail address (the console). */
type AccountKey = { id: string } | { email: string }

/**
 * Adds an account: with a password, or with a returned one-time link by which its owner sets one. Throws an AppError,
 * and writes nothing then.
 */
export async function addAccount(
  user: { email: string; name: string; role: Role; password: string | null },
  by: ChangeAuthor,
): Promise<{ link: string | null }> {
  const { password, ...columns } = user
  const passwordHash = password === null ? null : await hashNewPassword(password, user.email)
  const invitation = newLink(by.now)
  return write(async (tx) => {
    const userId = await createUser(tx, { ...columns, passwordHash }, by.now)
    const { tokenHash, expiresAt } = invitation
    if (password === null) await replaceInvitation(tx, { tokenHash, userId }, by.now, expiresAt)
    await note(tx, by, 'account.add', user.email, { role: user.role, byLink: password === null })
    return { link: password === null ? linkFor(invitation.token) : null }
  })
}

/**
 * Makes a user an administrator or a viewer. A viewer's tokens are revoked: only an administrator can create tokens.
 * Throws an AppError when no administrator would be left.
 */
export async function setRole(whose: AccountKey, role: Role, by: ChangeAuthor): Promise<Account> {
  return write(async (tx) => {
    const account = await requireAccount(tx, whose, by.now)
    if (account.role === role) throw unchanged(`${account.email} is already ${role}`)
    if (role !== 'admin') await keepAnAdmin(tx, account)
    await updateUser(tx, account.id, { role }, by.now)
    const tokensRevoked =
      role === 'admin' ? 0 : await revokeTokens(tx, { createdBy: account.email }, by.now)
    const detail = { from: account.role, to: role, tokensRevoked }
    await note(tx, by, 'account.set-role', account.email, detail)
    return account
  })
}

/**
 * Disables an account: ends its sessions and the tokens its owner made. `enableAccount` allows sign-in again;
 * the tokens stay revoked. Throws an AppError.
 */
export async function disableAccount(whose: AccountKey, by: ChangeAuthor): Promise<Account> {
  return write(async (tx) => {
    const account = await requireAccount(tx, whose, by.now)
    if (account.disabledAt) throw unchanged(`${account.email} is already disabled`)
    await keepAnAdmin(tx, account)
    await updateUser(tx, account.id, { disabledAt: by.now }, by.now)
    const sessions = await endSessions(tx, account.id, { except: null })
    await voidInvitations(tx, account.id)
    const tokens = await revokeTokens(tx, { createdBy: account.email }, by.now)
    const detail = { sessionsEnded: sessions, tokensRevoked: tokens }
    await note(tx, by, 'account.disable', account.email, detail)
    return account
  })
}

/** Allows a disabled account to sign in again. Throws an AppError. */
export async function enableAccount(whose: AccountKey, by: ChangeAuthor): Promise<Account> {
  return write(async (tx) => {
    const account = await requireAccount(tx, whose, by.now)
    if (!account.disabledAt) throw unchanged(`${account.email} is not disabled`)
    await updateUser(tx, account.id, { disabledAt: null }, by.now)
    await note(tx, by, 'account.enable', account.email)
    return account
  })
}

/** Sets a user's password, ends all their sessions and unlocks the account. Throws an AppError. */
export async function resetPassword(
  whose: AccountKey,
  password: string,
  by: ChangeAuthor,
): Promise<Account> {
  const { email } = await requireAccount(database(), whose, by.now)
  const hash = await hashNewPassword(password, email)
  const account = await write(async (tx) => {
    const found = await requireAccount(tx, whose, by.now)
    await savePassword(tx, found.id, hash, by.now)
    const sessions = await endSessions(tx, found.id, { except: null })
    await voidInvitations(tx, found.id)
    await note(tx, by, 'account.reset-password', email, { sessionsEnded: sessions })
    return found
  })
  await forgetAccountTries(database(), email)
  return account
}

/** Creates a new one-time link for setting a user's password; the current password stays valid until then. */
export async function inviteAgain(whose: AccountKey, by: ChangeAuthor): Promise<string> {
  const { token, tokenHash, expiresAt } = newLink(by.now)
  return write(async (tx) => {
    const account = await requireAccount(tx, whose, by.now)
    if (account.disabledAt) throw unchanged(`${account.email} is disabled: enable it first`)
    await replaceInvitation(tx, { tokenHash, userId: account.id }, by.now, expiresAt)
    await note(tx, by, 'account.invite', account.email)
    return linkFor(token)
  })
}

/** Clears a user's failed attempts. False = there were none. */
export async function unlockAccount(email: string, by: ChangeAuthor): Promise<boolean> {
  return write(async (tx) => {
    const own = await forgetAccountTries(tx, email)
    const count = own + (await forgetSignInTries(tx, ['address:*']))
    if (count > 0) await note(tx, by, 'account.unlock', email)
    return count > 0
  })
}

function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return withDatabaseErrors(() => inTransaction(database(), work))
}

async function note(
  tx: Tx,
  { actor, now, requestId = null }: ChangeAuthor,
  action: string,
  target: string,
  detail = {},
): Promise<void> {
  await recordAudit(tx, { actor, action, target, detail, requestId }, now)
}

async function requireAccount(db: DbOrTx, whose: AccountKey, now: Date): Promise<Account> {
  const account = await findAccount(db, whose, now)
  if (account) return account
  const name = 'email' in whose ? whose.email : 'this id'
  throw new AppError('not-found', `no account for ${name}: nothing was changed`)
}

/** Throws unless at least one administrator stays active. */
async function keepAnAdmin(tx: DbOrTx, { id, email, role, disabledAt }: Account): Promise<void> {
  if (role !== 'admin' || disabledAt || (await countOtherAdmins(tx, id)) > 0) return
  const message = `${email} is the last administrator who can sign in. Make another user an administrator first. Nothing was changed.`
  throw new AppError('conflict', message)
}

function unchanged(reason: string): AppError {
  return new AppError('conflict', `${reason}: nothing was changed`)
}

type Own = { actor: UserActor; headers: Headers; requestId?: string | null }

/** Changes the user's own password and ends their other sessions; returns how many. Throws an AppError. */
export async function changePassword(
  { current, password }: { current: string; password: string },
  { actor, headers, requestId = null }: Own,
  now = new Date(),
): Promise<number> {
  // An intruder with an open session must not guess the password with it.
  const key = `password:${actor.id}`
  const { waitMs } = await countSignInTry(database(), [{ key, rule: ACCOUNT_RULE }], now)
  if (waitMs > 0) {
    const message = `Too many attempts: wait ${formatLockOut(waitMs)}, then try again.`
    throw new AppError('too-many-requests', message)
  }
  const stored = await findPasswordHash(database(), actor.id)
  if (!stored || !(await verifyPassword({ hash: stored, password: current }))) {
    throw new AppError('forbidden', 'The current password is wrong. Nothing was changed.')
  }
  await forgetSignInTries(database(), [key])
  const hash = await hashNewPassword(password, actor.name)
  const here = await findSessionId(headers)
  const work = inTransaction(database(), async (tx) => {
    await savePassword(tx, actor.id, hash, now)
    const ended = await endSessions(tx, actor.id, { except: here })
    const detail = { sessionsEnded: ended }
    const record = { actor, action: 'account.change-password', target: actor.name, detail }
    await recordAudit(tx, { ...record, requestId }, now)
    return ended
  })
  return withDatabaseErrors(() => work)
}

/** Lists the user's own sessions, newest first. */
export async function listOwnSessions(
  actor: UserActor,
  headers: Headers,
  now = new Date(),
): Promise<SessionView[]> {
  const here = await findSessionId(headers)
  const sessions = await listSessions(database(), actor.id, now)
  return sessions.map(({ createdAt, expiresAt, ...session }) => ({
    ...session,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isHere: session.id === here,
  }))
}

/** Ends one of the user's own sessions. Throws an AppError. */
export async function endOwnSession(
  id: string,
  { actor, requestId = null }: Own,
  now = new Date(),
): Promise<void> {
  const work = inTransaction(database(), async (tx) => {
    if ((await endSessions(tx, actor.id, { only: id })) === 0) {
      throw new AppError('not-found', 'This session has already ended.')
    }
    const record = { actor, action: 'account.end-session', target: actor.name, requestId }
    await recordAudit(tx, record, now)
  })
  await withDatabaseErrors(() => work)
}

/** Lists all accounts, oldest first. */
export async function listAccountViews(now = new Date()): Promise<AccountView[]> {
  return (await readAccounts(database(), now)).map(toView)
}

function toView({ createdAt, disabledAt, lastSignInAt, ...account }: Account): AccountView {
  return {
    ...account,
    createdAt: createdAt.toISOString(),
    disabledAt: disabledAt?.toISOString() ?? null,
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
  }
}

/** Returns whether there is an account; the set-up link creates the first. */
export async function hasAccounts(): Promise<boolean> {
  return (await countUsers(database())) > 0
}
