import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import {
  findInvited,
  isSetupLinkOpen,
  spendSetupLink,
  voidInvitations,
} from '#lib/db/one-time-link-store.ts'
import { endSessions } from '#lib/db/session-store.ts'
import { forgetTries } from '#lib/db/throttle-store.ts'
import { countUsers, createUser, findAccount, savePassword } from '#lib/db/user-store.ts'
import { AppError } from '#lib/errors.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { hashSecret } from './secret-text.ts'

/** What a one-time link is for. */
export type OpenLink = { kind: 'first-admin' } | { kind: 'password'; email: string; name: string }

/** What this link still does; null = it is unknown, expired or used. */
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

export type SetupRequest = {
  token: string
  email: string
  name: string
  password: string
  requestId?: string | null
}

/**
 * Makes the first administrator and uses the link up, both or neither: of two at the same time exactly one wins.
 * Throws an AppError.
 */
export async function makeFirstAdmin(request: SetupRequest, now = new Date()): Promise<void> {
  const { token, email, name, password, requestId = null } = request
  await needOpen(token, 'first-admin', now)
  const passwordHash = await hashNewPassword(password, email)
  const work = database().$transaction(async (tx) => {
    const won = await spendSetupLink(tx, hashSecret(token), now)
    if (!won || (await countUsers(tx)) > 0) throw deadLink()
    const id = await createUser(tx, { email, name, role: 'admin', passwordHash }, now)
    const actor = { kind: 'user', id, name: email, role: 'admin' } as const
    await recordAudit(tx, { actor, action: 'account.set-up', target: email, requestId }, now)
  })
  await withDatabaseErrors(() => work)
}

/** Sets the password of whom the link was made for, uses the link up and ends their sessions. Answers their e-mail. */
export async function setInvitedPassword(
  { token, password, requestId = null }: Pick<SetupRequest, 'token' | 'password' | 'requestId'>,
  now = new Date(),
): Promise<string> {
  const { email } = await needOpen(token, 'password', now)
  const passwordHash = await hashNewPassword(password, email)
  const work = database().$transaction(async (tx) => {
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
  await forgetTries(database(), [`email:${email}`])
  return email
}

/** Before the work of hashing: an open link of this kind. */
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
