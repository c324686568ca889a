import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { isAPIError } from 'better-auth/api'
import { recordAudit } from '../../db/audit-store.ts'
import { database } from '../../db/database.ts'
import { withDatabaseErrors } from '../../db/database-error.ts'
import type { Tx } from '../../db/db.ts'
import { inTransaction } from '../../db/transaction.ts'
import {
  countSignInTry,
  endSession,
  findAccount,
  forgetSignInTries,
  type TryKey,
} from '../../db/user-store.ts'
import {
  ACCOUNT_RULE,
  ADDRESS_RULE,
  CROWD_RULE,
  formatLockOut,
  SYSTEM_ACTOR,
} from '../../domain/accounts/index.ts'
import { AppError } from '../../errors.ts'
import { peerAddress } from '../http/peer-address.ts'
import { addressOf, networkOf } from '../http/rate-limiter.ts'
import { auth, authSecret, findActor, findSessionId } from './auth.ts'

type SignInRequest = {
  email: string
  password: string
  headers: Headers
  /** The cookie of this browser from an earlier sign-in. */
  device: string | null
  requestId?: string | null
}

const WRONG = 'Wrong e-mail address or password.'

/**
 * Signs a user in: a fresh session, whose cookie the sign-in library sets; the previous one ends. Returns the value of
 * the browser's device cookie. Throws an AppError with the same sentence for an unknown address and a wrong password.
 */
export async function signIn(request: SignInRequest, now = new Date()): Promise<string> {
  const { email, password, headers } = request
  const device = readDevice(request.device, email)
  const keys = tryKeys(email, device, networkOfSender(headers))
  const { waitMs, locked } = await countSignInTry(database(), keys, now)
  if (waitMs > 0) throw tooMany(waitMs)
  const before = await findSessionId(headers)
  const userId = await openSession({ email, password }, headers)
  if (userId === null) {
    await recordLock(email, locked, now, request.requestId)
    const wait = locked.length > 0 ? await nextWait(keys, now) : ''
    throw new AppError('unauthorised', `${WRONG}${wait}`)
  }
  const account = await findAccount(database(), { id: userId }, now)
  const role = account?.role ?? 'viewer'
  const actor = { kind: 'user', id: userId, name: email, role } as const
  const { requestId = null } = request
  await write(async (tx) => {
    await forgetSignInTries(
      tx,
      keys.map(({ key }) => key),
    )
    if (before) await endSession(tx, before)
    await recordAudit(tx, { actor, action: 'account.sign-in', target: email, requestId }, now)
  })
  return markDevice(email, device ?? undefined)
}

/**
 * Returns the keys that count attempts. A known browser has a separate key. All others are counted by e-mail and
 * network together, so that an outsider cannot lock an account for all, and by each alone, which stops guessing across
 * many of the other.
 */
function tryKeys(email: string, device: string | null, network: string | null): TryKey[] {
  if (device) return [{ key: `device:${device}`, rule: ACCOUNT_RULE }]
  return [
    { key: `email:${email} ${network ?? '*'}`, rule: ACCOUNT_RULE },
    { key: `email:${email}`, rule: CROWD_RULE },
    { key: `address:${network ?? '*'}`, rule: network === null ? CROWD_RULE : ADDRESS_RULE },
  ]
}

/** Null = unknown: a local proxy that is not configured hides all clients behind it. */
function networkOfSender(headers: Headers): string | null {
  const network = networkOf(addressOf(headers) ?? '')
  return network === '' || /^(127\.|0:0:0:0$)/.test(network) ? null : network
}

/** Opens a session. The library hashes for an unknown address too, so that both take the same time. */
async function openSession(
  body: { email: string; password: string },
  headers: Headers,
): Promise<string | null> {
  try {
    const { user } = await auth().api.signInEmail({ body, headers: ownHeaders(headers) })
    return user.id
  } catch (error) {
    if (isAPIError(error)) return null
    throw error
  }
}

/** Selects the headers that the library may store: the browser, and a network address only when it is certain. */
function ownHeaders(headers: Headers): Headers {
  const copied = new Headers()
  const agent = headers.get('user-agent')
  const address = peerAddress(headers)
  if (agent) copied.set('user-agent', agent.slice(0, 300))
  if (address) copied.set('x-forwarded-for', address)
  return copied
}

async function recordLock(
  email: string,
  locked: readonly string[],
  now: Date,
  requestId: string | null = null,
): Promise<void> {
  if (locked.length === 0) return
  const detail = { keys: locked }
  const record = { actor: SYSTEM_ACTOR, action: 'account.lock-out', target: email, detail }
  await write((tx) => recordAudit(tx, { ...record, requestId }, now))
}

function write(work: (tx: Tx) => Promise<void>): Promise<void> {
  return withDatabaseErrors(() => inTransaction(database(), work))
}

/**
 * Returns the message about the wait when the next attempt would be refused. Counts no attempt, because sign-in is
 * locked.
 */
async function nextWait(keys: readonly TryKey[], now: Date): Promise<string> {
  const { waitMs } = await countSignInTry(database(), keys, now)
  return ` Sign-in is now locked: wait ${formatLockOut(waitMs)}.`
}

function tooMany(waitMs: number): AppError {
  const message = `Too many attempts: wait ${formatLockOut(waitMs)}, then try again.`
  return new AppError('too-many-requests', message)
}

/**
 * Signs a cookie for a browser that a user has signed in with, for that e-mail address. Its attempts are counted
 * separately, so that an outsider who locks an address cannot lock its owner out.
 */
function markDevice(email: string, id: string = randomUUID()): string {
  return `${id}.${sign(email, id)}`
}

/** Returns the browser's id when its cookie is authentic and for this e-mail address, else null. */
function readDevice(mark: string | null | undefined, email: string): string | null {
  const [id = '', signature = '', ...more] = (mark ?? '').split('.')
  if (!/^[0-9a-f-]{36}$/.test(id) || more.length > 0) return null
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(email, id))]
  return given.length === right.length && timingSafeEqual(given, right) ? id : null
}

function sign(email: string, id: string): string {
  return createHmac('sha256', authSecret()).update(`device:${email}:${id}`).digest('base64url')
}

/** Ends the session of these headers on the server, and removes its cookie; does nothing without one. */
export async function signOut(
  headers: Headers,
  requestId: string | null,
  now = new Date(),
): Promise<void> {
  const actor = await findActor(headers)
  await auth().api.signOut({ headers })
  if (!actor) return
  const record = { actor, action: 'account.sign-out', target: actor.name, requestId }
  await write((tx) => recordAudit(tx, record, now))
}
