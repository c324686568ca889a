import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import type { Scope } from '#lib/domain/accounts/index.ts'
import { settleEnv } from '#lib/env.ts'
import { addAccount } from '#lib/server/accounts/accounts.ts'
import { addToken, listTokenViews, requireToken, revokeToken } from '#lib/server/accounts/tokens.ts'
import { signedInHeaders } from '#lib/testing/factories/signed-in-headers.ts'
import { jsonBody, writeRoute } from './write-route.ts'

const dir = mkdtempSync(join(tmpdir(), 'proofboard-tokens-'))
const CONSOLE = { kind: 'console', id: null, name: 'console' } as const
const by = (now = new Date()) => ({ actor: CONSOLE, now })
const make = (scopes: Scope[], days: number | null = 7) =>
  addToken({ name: scopes.join('+'), scopes, days }, by())
const written: unknown[] = []
const PASSWORD = 'three words and a horse'

const POST = writeRoute({
  scope: 'results:write',
  role: 'admin',
  read: jsonBody(z.object({ name: z.string() }), 100),
  run: async ({ input, actor }) => {
    written.push([input, actor.kind])
    return Response.json({ ok: true })
  },
})

beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  await migrateDatabase()
  for (const role of ['admin', 'viewer'] as const) {
    await addAccount({ email: `${role}@example.org`, name: role, role, password: PASSWORD }, by())
  }
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

type Sent = { headers?: Record<string, string>; body?: BodyInit }

async function post({ headers = {}, body = '{"name":"a"}' }: Sent) {
  written.length = 0
  const all = { 'content-type': 'application/json', host: 'board.example', ...headers }
  const init = { method: 'POST', headers: all, body, duplex: 'half' }
  const request = new Request('http://board.example/api', init as RequestInit)
  const response = await POST(request, { params: Promise.resolve({}) })
  const { error } = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: error?.code ?? null, response, written: written.length }
}

const withToken = (secret: string) => ({ authorization: `Bearer ${secret}` })

describe('a write by a token', () => {
  it('passes with its scope, and is refused with another', async () => {
    const [may, mayNot] = [await make(['results:write']), await make(['admin:read', 'runs:write'])]
    expect(may).toMatch(/^pb_[0-9A-Za-z]{43}$/)
    expect(await post({ headers: withToken(may) })).toMatchObject({ status: 200, written: 1 })
    const refused = await post({ headers: withToken(mayNot) })
    expect(refused).toMatchObject({ status: 403, code: 'forbidden', written: 0 })
  })

  it('is refused beyond what a token may write in a minute, and another token is not', async () => {
    const [one, other] = [await make(['results:write']), await make(['results:write'])]
    // The allowance grows by one in each second that this takes.
    let refused = await post({ headers: withToken(one) })
    for (let n = 1; refused.status === 200 && n < 300; n++)
      refused = await post({ headers: withToken(one) })
    expect(refused).toMatchObject({ status: 429, written: 0 })
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post({ headers: withToken(other) })).status).toBe(200)
  })

  it('is refused alike when it is malformed, unknown, expired or revoked', async () => {
    const revoked = await make(['results:write'])
    const [{ id } = { id: '' }] = await listTokenViews()
    expect((await post({ headers: withToken(revoked) })).status).toBe(200)
    await revokeToken(id, by())
    await expect(revokeToken(id, by())).rejects.toThrow('already revoked')
    const monthAgo = new Date(Date.now() - 30 * 86_400_000)
    const order = { name: 'old', scopes: ['results:write'] as const, days: 7 }
    const expired = await addToken(order, by(monthAgo))
    const answers: string[] = []
    for (const authorization of [
      `Bearer ${revoked}`,
      `Bearer ${expired}`,
      `Bearer pb_${'a'.repeat(43)}`,
      'Bearer pb_short',
      'Bearer',
      `bearer  ' OR 1=1 --`,
    ]) {
      const { response, status, written } = await post({ headers: { authorization } })
      expect([status, written]).toEqual([401, 0])
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      answers.push(authorization === '' ? '' : String(response.headers.get('cache-control')))
    }
    expect(new Set(answers)).toEqual(new Set(['no-store']))
  })

  it('keeps a hash, and when it was used once a minute', async () => {
    const secret = await make(['runs:write'], null)
    const kept = JSON.stringify(await database().apiToken.findMany())
    expect(kept).not.toContain(secret.slice(12))
    const headers = new Headers(withToken(secret))
    const start = Date.now()
    const used: (string | null)[] = []
    for (const seconds of [0, 30, 59, 61]) {
      await requireToken(headers, 'runs:write', new Date(start + seconds * 1000))
      used.push(
        (await listTokenViews()).find(({ name }) => name === 'runs:write')?.lastUsedAt ?? null,
      )
    }
    const first = new Date(start).toISOString()
    expect(used).toEqual([first, first, first, new Date(start + 61_000).toISOString()])
  })
})

describe('a write by a person', () => {
  it('takes an administrator’s session and a page of ours', async () => {
    const admin = (await signedInHeaders('admin@example.org', PASSWORD)).headers.get('cookie') ?? ''
    const viewer =
      (await signedInHeaders('viewer@example.org', PASSWORD)).headers.get('cookie') ?? ''
    const origin = 'http://board.example'
    expect(await post({ headers: { cookie: admin, origin } })).toMatchObject({ status: 200 })
    for (const [headers, status] of [
      [{ origin }, 401],
      [{ cookie: viewer, origin }, 403],
      [{ cookie: admin }, 403],
      [{ cookie: admin, origin: 'http://evil.example' }, 403],
      [{ cookie: admin, origin: 'null' }, 403],
      [{ cookie: admin, origin, ...withToken('pb_no') }, 401],
    ] as const) {
      expect(await post({ headers })).toMatchObject({ status, written: 0 })
    }
  })

  it('believes X-Forwarded-Host of our own proxy alone', async () => {
    const admin = (await signedInHeaders('admin@example.org', PASSWORD)).headers.get('cookie') ?? ''
    const headers = {
      cookie: admin,
      origin: 'http://evil.example',
      'x-forwarded-host': 'evil.example',
    }
    expect(await post({ headers })).toMatchObject({ status: 403, written: 0 })
    process.env.PROOFBOARD_TRUSTED_PROXY = '1'
    settleEnv(process.cwd())
    expect(await post({ headers })).toMatchObject({ status: 200, written: 1 })
    delete process.env.PROOFBOARD_TRUSTED_PROXY
    settleEnv(process.cwd())
  })
})

describe('a body', () => {
  const ask = async (sent: Sent) => {
    const { headers } = sent
    const secret = await make(['results:write'])
    return post({ ...sent, headers: { ...withToken(secret), ...headers } })
  }

  it('is refused as soon as it is too large, whatever length it declares', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(50))
      },
    })
    expect(await ask({ body: endless })).toMatchObject({
      status: 413,
      code: 'too-large',
      written: 0,
    })
    expect(pulled).toBeLessThan(10)
  })

  it.each([
    ['{"name":1}', 400],
    ['{"name":', 400],
    [new Uint8Array([0x22, 0xff, 0x22]), 400],
  ])('%s is answered with a problem', async (body, status) => {
    expect(await ask({ body })).toMatchObject({ status, code: 'invalid-request', written: 0 })
  })

  it('has to say that it is JSON', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await ask({ headers })).toMatchObject({ status: 415, code: 'unsupported-type' })
  })
})

describe('a form that a reader sent', () => {
  const send = (headers: Record<string, string>, body = '{"name":"a"}') => {
    const all = {
      accept: 'text/html,*/*;q=0.8',
      host: 'board.example',
      'content-type': 'application/json',
      origin: 'https://board.example',
      referer: 'https://board.example/admin/uploads?kind=new',
      ...headers,
    }
    const init = { method: 'POST', headers: all, body, duplex: 'half' }
    const request = new Request('http://board.example/api', init as RequestInit)
    return POST(request, { params: Promise.resolve({}) })
  }

  it('leads to the sign-in, and from there back, who was signed out meanwhile', async () => {
    const { status, headers } = await send({})
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/sign-in?next=%2Fadmin%2Fuploads%3Fkind%3Dnew')
    const elsewhere = await send({ referer: 'https://evil.example//other.example' })
    expect(elsewhere.headers.get('location')).not.toContain('example')
  })

  it('says in words why it was refused, with the way back', async () => {
    const { headers } = await signedInHeaders('admin@example.org', PASSWORD)
    const response = await send({ cookie: headers.get('cookie') ?? '' }, '{"<b>":1}')
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('text/html')
    const html = await response.text()
    expect(html).toContain('Nothing was written')
    expect(html).toContain('href="/admin/uploads?kind=new"')
    expect(html).not.toContain('<b>')
  })
})
