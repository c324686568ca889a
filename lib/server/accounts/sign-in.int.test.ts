import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { rememberHashes } from '#lib/testing/factories/remembered-hashes.ts'
import { signedInHeaders } from '#lib/testing/factories/signed-in-headers.ts'
import { peerAddress } from '../http/peer-address.ts'
import { addAccount, unlockAccount } from './accounts.ts'
import { findActor } from './auth.ts'
import { signIn } from './sign-in.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-sign-in-'))
const by = () => ({
  actor: { kind: 'console', id: null, name: 'console' } as const,
  now: new Date(),
})
const ADA = 'ada@example.org'
const PASSWORD = 'three words and a horse'
const START = Date.parse('2026-01-01T00:00:00.000Z')
const at = (minutes: number) => new Date(START + minutes * 60_000)

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_URL = 'https://board.example.org'
  process.env.PROOFBOARD_TRUSTED_PROXY = '1'
  await migrateDatabase()
  await rememberHashes()
  await addAccount({ email: ADA, name: 'Ada', role: 'admin', password: PASSWORD }, by())
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach(async () => {
  await database().signInThrottle.deleteMany()
  await database().auditEntry.deleteMany()
})

type Try = { email?: string; password?: string; device?: string | null; from?: string; now?: Date }

function tryIn({ email = ADA, password = 'wrong', device = null, from, now = at(0) }: Try = {}) {
  const headers = new Headers(from ? { 'x-forwarded-for': from } : {})
  return signIn({ email, password, headers, device }, now)
}

const outcomeOf = (given: Try) => tryIn(given).then(String, (error: Error) => error.message)
const WRONG = 'Wrong e-mail address or password.'

describe('lock-out', () => {
  it('answers an unknown address and a wrong password with the same message, try for try', async () => {
    const tries = async (email: string) => {
      const parts: string[] = []
      for (let n = 0; n < 6; n += 1) parts.push(await outcomeOf({ email }))
      return parts
    }
    const known = await tries(ADA)
    expect(known).toEqual([
      ...[1, 2, 3, 4].map(() => WRONG),
      `${WRONG} Sign-in is now locked: wait 1 minute.`,
      'Too many attempts: wait 1 minute, then try again.',
    ])
    expect(await tries('nobody@example.org')).toEqual(known)
  })

  it('refuses the right password too while it lasts, doubles, and ends by a success', async () => {
    for (let n = 0; n < 5; n += 1) await outcomeOf({})
    expect(await outcomeOf({ password: PASSWORD })).toContain('wait 1 minute')
    expect(await outcomeOf({ now: at(1) })).toContain('wait 2 minutes')
    expect(await outcomeOf({ now: at(2), password: PASSWORD })).toContain('wait 1 minute')
    expect(await outcomeOf({ now: at(3), password: PASSWORD })).toMatch(/^[0-9a-f-]{36}\./)
    expect(await outcomeOf({ now: at(3) })).toBe(WRONG)
    const locks = await database().auditEntry.findMany({ where: { action: 'account.lock-out' } })
    expect(locks.map(({ target }) => target)).toEqual([ADA, ADA])
  })

  it('lets no more guesses through when they come at the same time', async () => {
    const parts = await Promise.all(Array.from({ length: 12 }, () => outcomeOf({})))
    expect(parts.filter((words) => words.startsWith(WRONG))).toHaveLength(5)
  })

  it('does not shut out a browser that its owner signed in with before', async () => {
    const device = await tryIn({ password: PASSWORD })
    for (let n = 0; n < 8; n += 1) await outcomeOf({})
    expect(await outcomeOf({ password: PASSWORD })).toContain('Too many attempts')
    expect(await outcomeOf({ password: PASSWORD, device })).toBe(device)
    const forged = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect(await outcomeOf({ password: PASSWORD, device: forged })).toContain('Too many attempts')
    expect(await outcomeOf({ email: 'bob@example.org', device })).toBe(WRONG)
    for (let n = 0; n < 5; n += 1) await outcomeOf({ device })
    expect(await outcomeOf({ password: PASSWORD, device })).toContain('Too many attempts')
  })

  it('counts an address over many accounts, and the console unlocks', async () => {
    const from = '203.0.113.7'
    for (let n = 0; n < 20; n += 1) await outcomeOf({ email: `guess${n}@example.org`, from })
    expect(await outcomeOf({ password: PASSWORD, from })).toContain('Too many attempts')
    expect(await outcomeOf({ password: PASSWORD, from: '203.0.113.8' })).toMatch(/^[0-9a-f-]{36}\./)
    for (let n = 0; n < 5; n += 1) await outcomeOf({})
    expect(await unlockAccount(ADA, by())).toBe(true)
    expect(await outcomeOf({})).toBe(WRONG)
  })
})

describe('an outsider', () => {
  const [GUESSER, OWNER] = ['203.0.113.7', '198.51.100.4']

  it('does not lock an account for another address', async () => {
    for (let n = 0; n < 8; n += 1) await outcomeOf({ from: GUESSER })
    expect(await outcomeOf({ from: GUESSER, password: PASSWORD })).toContain('Too many attempts')
    expect(await outcomeOf({ from: OWNER, password: PASSWORD })).toMatch(/^[0-9a-f-]{36}\./)
  })

  it('slows an account down for a minute at most, from however many addresses', async () => {
    const far = { key: `email:${ADA}`, failures: 98, windowStart: at(0), lockedUntil: null }
    await database().signInThrottle.create({ data: far })
    for (let n = 0; n < 5; n += 1) await outcomeOf({ from: `203.0.113.${n}`, now: at(n) })
    expect(await outcomeOf({ from: OWNER, password: PASSWORD, now: at(4) })).toContain('1 minute')
    expect(await outcomeOf({ from: OWNER, password: PASSWORD, now: at(5) })).toMatch(
      /^[0-9a-f-]{36}\./,
    )
  })

  it('is not locked out by a clock that is set back two hours', async () => {
    for (let n = 0; n < 5; n += 1) await outcomeOf({ from: OWNER })
    expect(await outcomeOf({ from: OWNER, password: PASSWORD })).toContain('wait 1 minute')
    expect(await outcomeOf({ from: OWNER, password: PASSWORD, now: at(-120) })).toMatch(
      /^[0-9a-f-]{36}\./,
    )
  })
})

describe('where a request comes from', () => {
  it('is what our proxy added last, and nothing without one', () => {
    const headers = new Headers({ 'x-forwarded-for': '10.0.0.1, 203.0.113.7' })
    expect(peerAddress(headers, true)).toBe('203.0.113.7')
    expect(peerAddress(headers, false)).toBeNull()
    expect(peerAddress(new Headers({ 'x-forwarded-for': 'address:*' }), true)).toBeNull()
    expect(peerAddress(new Headers(), true)).toBeNull()
  })
})

describe('the session', () => {
  it('travels in a cookie for https alone, out of reach of scripts and other sites', async () => {
    const { setCookie, headers } = await signedInHeaders(ADA, PASSWORD)
    expect(setCookie).toMatch(/^__Secure-proofboard\.session_token=/)
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/'])
      expect(setCookie).toContain(flag)
    expect(await findActor(headers)).toMatchObject({ name: ADA })
  })

  it('is a fresh one at each sign-in, and the one before ends', async () => {
    const { headers } = await signedInHeaders(ADA, PASSWORD)
    const before = await database().userSession.count()
    await signIn({ email: ADA, password: PASSWORD, headers, device: null })
    expect(await findActor(headers)).toBeNull()
    expect(await database().userSession.count()).toBe(before)
  })

  it('is not a session with a cookie that was changed', async () => {
    const { headers } = await signedInHeaders(ADA, PASSWORD)
    const cookie = headers.get('cookie') ?? ''
    const other = cookie.replace(/=(.)/, (_, first) => `=${first === 'a' ? 'b' : 'a'}`)
    expect(await findActor(new Headers({ cookie: other }))).toBeNull()
  })
})
