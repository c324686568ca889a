import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { nextCookies } from 'better-auth/next-js'
import { z } from 'zod'
import { createOnce } from '../../create-once.ts'
import { database } from '../../db/database.ts'
import { dialectOf } from '../../db/dialect.ts'
import { isAccountOpen } from '../../db/user-store.ts'
import {
  type Actor,
  hasRole,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  ROLES,
  type Role,
} from '../../domain/accounts/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'

const SESSION_SECONDS = 60 * 60 * 24 * 7
const RENEW_SECONDS = 60 * 60 * 24
const log = createLog('auth')

/**
 * Configures the sign-in library on this database. Its HTTP routes are not mounted: sign-in uses server actions, which
 * count failed attempts, so there is no other entry to guard.
 */
function createAuth() {
  return betterAuth({
    appName: 'Proofboard',
    secret: authSecret(),
    baseURL: env().publicUrl,
    database: prismaAdapter(database(), { provider: dialectOf(database()) }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
    },
    user: {
      modelName: 'user',
      additionalFields: {
        role: { type: 'string', required: true, defaultValue: 'viewer', input: false },
        disabledAt: { type: 'date', required: false, input: false },
      },
    },
    session: { modelName: 'userSession', expiresIn: SESSION_SECONDS, updateAge: RENEW_SECONDS },
    account: { modelName: 'userCredential' },
    verification: { modelName: 'verification' },
    databaseHooks: { session: { create: { before: refuseDisabled } } },
    rateLimit: { enabled: false },
    // A wrong password is not a server event; the audit log records lock-outs.
    logger: { level: 'error', log: (_, message) => log.error(message) },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'proofboard',
      useSecureCookies: env().publicUrl.startsWith('https:'),
    },
    plugins: [nextCookies()],
  })
}

/** Refuses a session for a disabled account, however it is requested. */
async function refuseDisabled({ userId }: { userId: string }): Promise<false | undefined> {
  return (await isAccountOpen(database(), userId)) ? undefined : false
}

let created: ReturnType<typeof createAuth> | undefined

export function auth() {
  created ??= createAuth()
  return created
}

const AUTH_SECRET_FILE = 'auth-secret'

/**
 * Returns the secret that signs session cookies: generated once and stored in the folder of secrets, readable only by
 * its owner. Deleting the file signs all users out.
 */
export function authSecret(): string {
  const file = join(env().secretsDir, AUTH_SECRET_FILE)
  return createOnce(file, () => randomBytes(32).toString('base64url')).trim()
}

/**
 * Returns the key (AES, base64) that encrypts hidden values of server actions in pages; the same on all servers of a
 * board.
 */
export function actionKey(): string {
  return createHmac('sha256', authSecret()).update('server actions').digest('base64')
}

const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  disabledAt: z.date().nullish(),
})

export type UserActor = Extract<Actor, { kind: 'user' }>

/** Returns the user of the session in these headers; null = there is none, or it has ended or was disabled. */
export async function findActor(headers: Headers): Promise<UserActor | null> {
  const found = await auth().api.getSession({ headers })
  const user = userSchema.safeParse(found?.user)
  if (!user.success || user.data.disabledAt) return null
  const { id, email, role } = user.data
  return { kind: 'user', id, name: email, role }
}

/** Returns the id of the session in these headers; null = none is valid. */
export async function findSessionId(headers: Headers): Promise<string | null> {
  const found = await auth().api.getSession({ headers })
  return found?.session.id ?? null
}

/**
 * Returns the user of a request. Throws an AppError without the role. Every page, action and route that needs a user
 * calls it.
 */
export async function requireRole(headers: Headers, role: Role): Promise<UserActor> {
  const actor = await findActor(headers)
  if (!actor) throw new AppError('unauthorised', 'Sign in first.')
  if (hasRole(actor.role, role)) return actor
  throw new AppError('forbidden', `You are signed in as a ${actor.role}. This requires an ${role}.`)
}
