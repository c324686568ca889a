import { verifyPassword } from 'better-auth/crypto'
import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import { endSessions, listSessions } from '#lib/db/session-store.ts'
import { forgetTries, takeTry } from '#lib/db/throttle-store.ts'
import { findPasswordHash, savePassword } from '#lib/db/user-store.ts'
import { OWN_RULE, sayWait } from '#lib/domain/lock-out.ts'
import type { SessionView } from '#lib/domain/views/session-view.ts'
import { AppError } from '#lib/errors.ts'
import type { UserActor } from './find-actor.ts'
import { findSessionId } from './find-session-id.ts'
import { hashNewPassword } from './hash-new-password.ts'

type Own = { actor: UserActor; headers: Headers; requestId?: string | null }

/** Sets one's own password and ends one's sessions elsewhere; answers how many. Throws an AppError. */
export async function changePassword(
  { current, password }: { current: string; password: string },
  { actor, headers, requestId = null }: Own,
  now = new Date(),
): Promise<number> {
  // Who got hold of an open session must not guess the password by it.
  const key = `password:${actor.id}`
  const { waitMs } = await takeTry(database(), [{ key, rule: OWN_RULE }], now)
  if (waitMs > 0) {
    const message = `Too many attempts: wait ${sayWait(waitMs)}, then try again.`
    throw new AppError('too-many-requests', message)
  }
  const kept = await findPasswordHash(database(), actor.id)
  if (!kept || !(await verifyPassword({ hash: kept, password: current }))) {
    throw new AppError('forbidden', 'The current password is wrong. Nothing was changed.')
  }
  await forgetTries(database(), [key])
  const hash = await hashNewPassword(password, actor.name)
  const here = await findSessionId(headers)
  const work = database().$transaction(async (tx) => {
    await savePassword(tx, actor.id, hash, now)
    const ended = await endSessions(tx, actor.id, { except: here })
    const detail = { sessionsEnded: ended }
    const record = { actor, action: 'account.change-password', target: actor.name, detail }
    await recordAudit(tx, { ...record, requestId }, now)
    return ended
  })
  return withDatabaseErrors(() => work)
}

/** One's own sessions, newest first. */
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

/** Ends one of one's own sessions. Throws an AppError. */
export async function endOwnSession(
  id: string,
  { actor, requestId = null }: Own,
  now = new Date(),
): Promise<void> {
  const work = database().$transaction(async (tx) => {
    if ((await endSessions(tx, actor.id, { only: id })) === 0) {
      throw new AppError('not-found', 'This session has already ended.')
    }
    const record = { actor, action: 'account.end-session', target: actor.name, requestId }
    await recordAudit(tx, record, now)
  })
  await withDatabaseErrors(() => work)
}
