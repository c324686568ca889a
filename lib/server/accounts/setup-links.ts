import { createHash, randomBytes } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  addSetupLink,
  countUsers,
  createUser,
  endSessions,
  findAccount,
  findInvited,
  forgetAccountTries,
  isSetupLinkOpen,
  savePassword,
  spendSetupLink,
  voidInvitations,
} from '../../db/user-store.ts'
import { type Actor, findPasswordProblem } from '../../domain/accounts/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'

/** Purpose of a one-time link. */
type OpenLink = { kind: 'first-admin' } | { kind: 'password'; email: string; name: string }

/** Returns the purpose of a link; null = it is unknown, expired or used. */
export async function openLink(token: string, now = new Date()): Promise<OpenLink | null> {
  const db = database()
  const hash = hashSecret(token)
  if (await isSetupLinkOpen(db, hash, now)) {
    return (await countUsers(db)) === 0 ? { kind: 'first-admin' } : null
  }
  const userId = await findInvited(db, hash, now)
  const account = userId === null ? null : await findAccount(db, { id: userId }, now)
  if (!account || account.disabledAt) return null
  return { kind: 'password', email: account.email, name: account.name }
}

type SetupRequest = {
  token: string
  email: string
  name: string
  password: string
  requestId?: string | null
}

/**
 * Creates the first administrator and uses up the link in one transaction: exactly one of two concurrent requests
 * succeeds. Throws an AppError.
 */
export async function makeFirstAdmin(request: SetupRequest, now = new Date()): Promise<void> {
  const { token, email, name, password, requestId = null } = request
  await needOpen(token, 'first-admin', now)
  const passwordHash = await hashNewPassword(password, email)
  const work = inTransaction(database(), async (tx) => {
    const won = await spendSetupLink(tx, hashSecret(token), now)
    if (!won || (await countUsers(tx)) > 0) throw deadLink()
    const id = await createUser(tx, { email, name, role: 'admin', passwordHash }, now)
    const actor = { kind: 'user', id, name: email, role: 'admin' } as const
    await recordAudit(tx, { actor, action: 'account.set-up', target: email, requestId }, now)
  })
  await withDatabaseErrors(() => work)
}

/** Sets the password of the link's user, uses up the link and ends their sessions. Returns their e-mail address. */
export async function setInvitedPassword(
  { token, password, requestId = null }: Pick<SetupRequest, 'token' | 'password' | 'requestId'>,
  now = new Date(),
): Promise<string> {
  const { email } = await needOpen(token, 'password', now)
  const passwordHash = await hashNewPassword(password, email)
  const work = inTransaction(database(), async (tx) => {
    const userId = await findInvited(tx, hashSecret(token), now)
    const account = userId === null ? null : await findAccount(tx, { id: userId }, now)
    if (!account || account.disabledAt) throw deadLink()
    await savePassword(tx, account.id, passwordHash, now)
    await voidInvitations(tx, account.id)
    await endSessions(tx, account.id, { except: null })
    const actor = { kind: 'user', id: account.id, name: email, role: account.role } as const
    await recordAudit(tx, { actor, action: 'account.set-password', target: email, requestId }, now)
  })
  await withDatabaseErrors(() => work)
  await forgetAccountTries(database(), email)
  return email
}

/** Requires an open link of this kind, before the work of hashing. */
async function needOpen<K extends OpenLink['kind']>(
  token: string,
  kind: K,
  now: Date,
): Promise<Extract<OpenLink, { kind: K }>> {
  const link = await openLink(token, now)
  if (!isKind(link, kind)) throw deadLink()
  return link
}

function isKind<K extends OpenLink['kind']>(
  link: OpenLink | null,
  kind: K,
): link is Extract<OpenLink, { kind: K }> {
  return link?.kind === kind
}

function deadLink(): AppError {
  const message =
    'This link was already used, has expired or was replaced. Ask for a new one. Nothing was changed.'
  return new AppError('forbidden', message)
}

/**
 * Creates a link for the first administrator; earlier ones stay valid until that account exists. Null = there is an
 * account already.
 */
export async function issueSetupLink(
  actor: Extract<Actor, { id: null }>,
  now = new Date(),
): Promise<string | null> {
  const { token, tokenHash, expiresAt } = newLink(now)
  const work = inTransaction(database(), async (tx) => {
    if ((await countUsers(tx)) > 0) return null
    await addSetupLink(tx, tokenHash, now, expiresAt)
    await recordAudit(tx, { actor, action: 'account.setup-link', target: null }, now)
    return linkFor(token)
  })
  return withDatabaseErrors(() => work)
}

const VALID_MS = 86_400_000

/** A link that works once within a day; only `tokenHash` is stored. */
type OneTimeLink = { token: string; tokenHash: string; expiresAt: Date }

export function newLink(now: Date): OneTimeLink {
  const token = createSecret()
  return { token, tokenHash: hashSecret(token), expiresAt: new Date(now.getTime() + VALID_MS) }
}

/** Returns the URL of a one-time token. */
export function linkFor(token: string, publicUrl = env().publicUrl): string {
  return `${publicUrl.replace(/\/+$/, '')}/setup?token=${token}`
}

/** Returns the salted hash of a password. Throws an AppError that says why it is not accepted. */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  const problem = findPasswordProblem(password, email)
  if (problem) throw new AppError('invalid-request', `${problem} Nothing was changed.`)
  return hashPassword(password)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 43 characters of 62 carry 256 bits. */
const LENGTH = 43

/** Generates 256 random bits as letters and digits. */
export function createSecret(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let text = ''
  for (let at = 0; at < LENGTH; at += 1) {
    text = BASE62.charAt(Number(number % 62n)) + text
    number /= 62n
  }
  return text
}

/** Hashes a secret of 256 random bits with plain SHA-256, which cannot be brute-forced for such a secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
