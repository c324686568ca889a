import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { copyOwnDatabase } from '#lib/db/move-database.ts'
import { ON_POSTGRES } from '#lib/testing/factories/postgres.ts'
import { rememberHashes } from '#lib/testing/factories/remembered-hashes.ts'
import { signedInHeaders } from '#lib/testing/factories/signed-in-headers.ts'
import {
  addAccount,
  changePassword,
  disableAccount,
  enableAccount,
  endOwnSession,
  inviteAgain,
  listOwnSessions,
  resetPassword,
  setRole,
} from './accounts.ts'
import { findActor, type UserActor } from './auth.ts'
import { issueSetupLink, makeFirstAdmin, openLink, setInvitedPassword } from './setup-links.ts'
import { signOut } from './sign-in.ts'
import { addToken, requireToken } from './tokens.ts'

vi.mock('better-auth/crypto', async (importOriginal) => {
  const { hashPassword, verifyPassword } =
    await importOriginal<typeof import('better-auth/crypto')>()
  const { remembered } = await import('#lib/testing/factories/remembered-hashes.ts')
  return { hashPassword: remembered(hashPassword), verifyPassword: remembered(verifyPassword) }
})

const dir = mkdtempSync(join(tmpdir(), 'proofboard-accounts-'))
const CONSOLE = { kind: 'console', id: null, name: 'console' } as const
const SYSTEM = { kind: 'system', id: null, name: 'system' } as const
const PASSWORD = 'three words and a horse'
const OTHER = 'four words and two horses'
const ADA = 'ada@example.org'
const BOB = 'bob@example.org'
const DAY = 86_400_000
const by = (now = new Date()) => ({ actor: CONSOLE, now })
const add = (email: string, role: 'admin' | 'viewer', password: string | null = PASSWORD) =>
  addAccount({ email, name: email, role, password }, by())
const tokenOf = (link: string | null) => new URL(link ?? '').searchParams.get('token') ?? ''

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_URL = ''
  process.env.PORT = '4000'
  await migrateDatabase()
  await rememberHashes()
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  const db = database()
  await db.user.deleteMany()
  await db.setupLink.deleteMany()
  await db.verification.deleteMany()
  await db.signInThrottle.deleteMany()
  await db.auditEntry.deleteMany()
})

async function signedIn(email = ADA, password = PASSWORD) {
  const { headers } = await signedInHeaders(email, password)
  const actor = (await findActor(headers)) as UserActor
  return { headers, actor }
}

describe('the set-up link', () => {
  const first = (token: string, email: string) =>
    makeFirstAdmin({ token, email, name: 'Ada', password: PASSWORD })

  it('makes exactly one first administrator of two who use it at the same time', async () => {
    const link = await issueSetupLink(SYSTEM)
    expect(link).toMatch(/^http:\/\/localhost:4000\/setup\?token=[0-9A-Za-z]{43}$/)
    const token = tokenOf(link)
    expect(await openLink(token)).toEqual({ kind: 'first-admin' })
    const ended = await Promise.allSettled([first(token, ADA), first(token, BOB)])
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await database().user.findMany({ select: { role: true } })).toEqual([{ role: 'admin' }])
    expect(await openLink(token)).toBeNull()
    await expect(first(token, 'eve@example.org')).rejects.toThrow(
      'was already used, has expired or was replaced',
    )
    expect(await issueSetupLink(SYSTEM)).toBeNull()
  })

  it('is stored as a hash alone', async () => {
    const token = tokenOf(await issueSetupLink(SYSTEM))
    const file = join(dir, ON_POSTGRES ? 'copy.db' : 'proofboard.db')
    if (ON_POSTGRES) await copyOwnDatabase(file)
    else await database().$queryRawUnsafe('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(readFileSync(file).includes(token)).toBe(false)
    expect(JSON.stringify(await database().setupLink.findMany())).not.toContain(token)
  })

  it('works beside those of other web servers, until one of them made the first account', async () => {
    const links = [tokenOf(await issueSetupLink(SYSTEM)), tokenOf(await issueSetupLink(SYSTEM))]
    const [one = '', other = ''] = links
    for (const token of links) expect(await openLink(token)).toEqual({ kind: 'first-admin' })
    await first(one, ADA)
    for (const token of links) expect(await openLink(token)).toBeNull()
    await expect(first(other, BOB)).rejects.toThrow('was already used, has expired or was replaced')
  })

  it('is void after a day', async () => {
    const token = tokenOf(await issueSetupLink(SYSTEM))
    expect(await openLink(token, new Date(Date.now() + DAY))).toBeNull()
    expect(await openLink(token, new Date(Date.now() + DAY - 60_000))).not.toBeNull()
  })

  it.each([
    ['short', 'at least 12 characters'],
    [ADA, 'must not be the e-mail address'],
  ])('stays open when the password is refused (%s)', async (password, words) => {
    const token = tokenOf(await issueSetupLink(SYSTEM))
    const request = { token, email: ADA, name: 'Ada', password }
    await expect(makeFirstAdmin(request)).rejects.toThrow(words)
    expect(await openLink(token)).not.toBeNull()
    expect(await database().user.count()).toBe(0)
  })
})

describe('the last administrator', () => {
  it('can be neither disabled nor made a viewer, nor can two at the same time', async () => {
    await add(ADA, 'admin')
    await add('eve@example.org', 'viewer')
    for (const work of [
      disableAccount({ email: ADA }, by()),
      setRole({ email: ADA }, 'viewer', by()),
    ])
      await expect(work).rejects.toThrow('the last administrator')
    await add(BOB, 'admin')
    const ended = await Promise.allSettled([
      disableAccount({ email: ADA }, by()),
      setRole({ email: BOB }, 'viewer', by()),
    ])
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = await database().user.count({ where: { role: 'admin', disabledAt: null } })
    expect(left).toBe(1)
  })

  it('is not replaced by one who was only invited', async () => {
    await add(ADA, 'admin')
    const { link } = await add(BOB, 'admin', null)
    await expect(disableAccount({ email: ADA }, by())).rejects.toThrow('the last administrator')
    await setInvitedPassword({ token: tokenOf(link), password: OTHER })
    await disableAccount({ email: ADA }, by())
  })
})

describe('an account', () => {
  it('is added once, with a line in the audit log that holds no secret', async () => {
    await add(ADA, 'admin')
    await expect(add(ADA, 'viewer')).rejects.toThrow('has an account already')
    const lines = await database().auditEntry.findMany()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({ action: 'account.add', actor: 'console', target: ADA })
    expect(JSON.stringify(lines)).not.toContain(PASSWORD)
  })

  it('takes a password by a link that works once', async () => {
    const { link } = await add(ADA, 'viewer', null)
    await expect(signedInHeaders(ADA, '').then(({ setCookie }) => setCookie)).resolves.toBe('')
    const token = tokenOf(link)
    expect(await openLink(token)).toEqual({ kind: 'password', email: ADA, name: ADA })
    const both = [PASSWORD, OTHER].map((password) => setInvitedPassword({ token, password }))
    const ended = await Promise.allSettled(both)
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await openLink(token)).toBeNull()
  })

  it('is shut when it is disabled: sessions, links and sign-in; and opens again', async () => {
    await add(ADA, 'admin')
    await add(BOB, 'viewer')
    const { headers } = await signedIn(BOB)
    const token = tokenOf(await inviteAgain({ email: BOB }, by()))
    await disableAccount({ email: BOB }, by())
    expect(await findActor(headers)).toBeNull()
    expect(await openLink(token)).toBeNull()
    expect((await signedInHeaders(BOB, PASSWORD)).setCookie).toBe('')
    expect(await database().userSession.count()).toBe(0)
    await enableAccount({ email: BOB }, by())
    expect((await signedIn(BOB)).actor).toMatchObject({ name: BOB, role: 'viewer' })
  })

  it('has a role that counts at once', async () => {
    await add(ADA, 'admin')
    await add(BOB, 'admin')
    const { headers } = await signedIn(BOB)
    const actor = (await findActor(headers)) as UserActor
    const order = { name: 'ci', scopes: ['results:write'] as const, days: 7 }
    const [own, other] = [
      await addToken(order, { actor, now: new Date() }),
      await addToken({ ...order, name: 'of the console' }, by()),
    ]
    const use = (secret: string) =>
      requireToken(new Headers({ authorization: `Bearer ${secret}` }), 'results:write')
    expect(await use(own)).toMatchObject({ name: 'ci' })
    await setRole({ email: BOB }, 'viewer', by())
    expect(await findActor(headers)).toMatchObject({ role: 'viewer' })
    await expect(use(own)).rejects.toThrow('revoked')
    expect(await use(other)).toMatchObject({ name: 'of the console' })
  })
})

describe('sessions', () => {
  beforeEach(async () => {
    await add(ADA, 'admin')
  })

  it('end on the server when their owner signs out: the cookie is worth nothing then', async () => {
    const { headers } = await signedIn()
    await signOut(headers, null)
    expect(await findActor(headers)).toBeNull()
    expect(await database().userSession.count()).toBe(0)
  })

  it('elsewhere end when the password changes, and this one stays', async () => {
    const [here, there] = [await signedIn(), await signedIn()]
    const given = { current: PASSWORD, password: OTHER }
    expect(await changePassword(given, here)).toBe(1)
    expect(await findActor(there.headers)).toBeNull()
    expect(await findActor(here.headers)).not.toBeNull()
    expect((await signedInHeaders(ADA, PASSWORD)).setCookie).toBe('')
    expect((await signedIn(ADA, OTHER)).actor.name).toBe(ADA)
  })

  it('all end when an administrator or the console resets the password', async () => {
    const { headers } = await signedIn()
    await resetPassword({ email: ADA }, OTHER, by())
    expect(await findActor(headers)).toBeNull()
  })

  it('are listed and ended by their owner only', async () => {
    await add(BOB, 'viewer')
    const [ada, bob] = [await signedIn(), await signedIn(BOB)]
    const [session] = await listOwnSessions(ada.actor, ada.headers)
    expect(session).toMatchObject({ isHere: true, ipAddress: expect.toBeOneOf([null, '']) })
    await expect(endOwnSession(session?.id ?? '', bob)).rejects.toThrow('has already ended')
    await endOwnSession(session?.id ?? '', ada)
    expect(await findActor(ada.headers)).toBeNull()
  })

  it('cannot be used to guess the password', async () => {
    const own = await signedIn()
    const guess = (current: string) => changePassword({ current, password: OTHER }, own)
    for (let n = 0; n < 5; n += 1)
      await expect(guess('wrong')).rejects.toThrow('current password is wrong')
    await expect(guess(PASSWORD)).rejects.toThrow('Too many attempts: wait')
  })
})
