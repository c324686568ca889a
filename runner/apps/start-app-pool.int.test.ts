import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrowserFaultKind } from '#lib/domain/record/index.ts'
import { bundleEntry } from '#lib/setup/bundle.mjs'
import { listProcesses } from '../sandbox/process/list-processes.ts'
import type { AppPool, Tenant } from './app-pool.ts'
import { startAppPool } from './start-app-pool.ts'

const RUN = 'run_apphouse0-1'
let pool: AppPool
beforeAll(async () => {
  pool = await startAppPool({ runMark: RUN })
})
afterAll(() => pool.close())

let last = 0
function open(fault: [BrowserFaultKind, string] | null = null, seed = 7): Promise<Tenant> {
  last += 1
  const broken = fault && { kind: fault[0], at: fault[1] }
  return pool.open({ app: 'shop', tenant: `t${last}`, seed, fault: broken })
}

type Answer = { status: number | undefined; text: string; headers: Record<string, unknown> }
type Asked = { method?: string; headers?: Record<string, string>; body?: string; host?: string }

/** Sends a request like a browser: to loopback, with the tenant's host. Rejects if the socket is destroyed. */
function ask(origin: string, path: string, requested: Asked = {}): Promise<Answer> {
  const { host, port } = new URL(origin)
  const { method = 'GET', headers = {}, body = '' } = requested
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          host: requested.host ?? host,
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            text,
            headers: { ...response.headers, date: null },
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const signIn = (origin: string) =>
  ask(origin, '/sign-in', {
    method: 'POST',
    headers: FORM,
    body: 'email=mara.lindqvist%40example.com&password=harbour-lamp-42',
  })
const subscribe = (origin: string, email = 'a@example.com') =>
  ask(origin, '/newsletter', {
    method: 'POST',
    headers: FORM,
    body: `email=${encodeURIComponent(email)}`,
  })
const newsletter = async (tenant: Tenant) =>
  ((await tenant.state()) as { newsletter: string[] }).newsletter

describe('the control endpoint', () => {
  it('cannot be told from a page that is not there', async () => {
    const { origin } = await open()
    const plain = await ask(origin, '/nowhere')
    expect(plain.status).toBe(404)
    const wrong = { 'x-proofboard-control': 'x'.repeat(43) }
    const tries = [
      ask(origin, '/.control/tenants/t1'),
      ask(origin, '/.control/tenants/t1', { headers: wrong }),
      ask(origin, '/.control/tenants', { method: 'POST', headers: wrong, body: '{"app":"shop"}' }),
      ask(origin, '/.control/tenants/t1', { host: '127.0.0.1', headers: wrong }),
      ask(origin, '/.control/', { host: 'localhost' }),
      ask(origin, '/.control/points/1', { method: 'POST', headers: wrong }),
      ask(origin, '/', { host: `nobody.localhost:${new URL(origin).port}` }),
      ask(origin, '/', { host: new URL(origin).host.replace('t', 'x.t') }),
      ask(origin, '/client/../main.ts'),
      ask(origin, '/client/kit/..%2f..%2fmain.ts'),
    ]
    for (const result of await Promise.all(tries)) expect(result).toEqual(plain)
  })
})

describe('tenants', () => {
  it('hold the same for the same seed, and nothing of each other', async () => {
    const [one, two, other] = [await open(), await open(), await open(null, 8)]
    expect(await one.state()).toEqual(await two.state())
    expect(await one.state()).not.toEqual(await other.state())
    await subscribe(one.origin)
    expect(await newsletter(one)).toEqual(['a@example.com'])
    expect(await newsletter(two)).toEqual([])
    expect(await one.requests()).toMatchObject([
      { method: 'POST', path: '/newsletter', status: 303 },
    ])
    expect(await two.requests()).toEqual([])
    const { headers } = await signIn(one.origin)
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    expect((await ask(one.origin, '/account', { headers: { cookie } })).status).toBe(200)
    expect((await ask(two.origin, '/account', { headers: { cookie } })).status).toBe(303)
  })

  it('are gone when closed, and are refused twice', async () => {
    const tenant = await open()
    await expect(
      pool.open({ app: 'shop', tenant: `t${last}`, seed: 1, fault: null }),
    ).rejects.toThrow('open already')
    await tenant.close()
    expect((await ask(tenant.origin, '/')).status).toBe(404)
    await expect(tenant.state()).rejects.toThrow('404')
    await expect(pool.open({ app: 'none', tenant: 'other', seed: 1, fault: null })).rejects.toThrow(
      'there is no app none',
    )
  })

  it('outlive bodies that cannot be read', async () => {
    const { origin } = await open()
    const post = (type: string, body: string) =>
      ask(origin, '/newsletter', { method: 'POST', headers: { 'content-type': type }, body })
    expect((await post('application/json', '{"a":')).status).toBe(400)
    expect((await post('application/json', '[1]')).status).toBe(400)
    expect((await post('multipart/form-data', 'x')).status).toBe(400)
    expect((await post('multipart/form-data; boundary=b', '--b\r\nnothing')).status).toBe(400)
    const large = await post('text/plain', 'x'.repeat(9 << 20)).catch(() => ({ status: 413 }))
    expect(large.status).toBe(413)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () =>
        socket.write('NONSENSE\r\n\r\n'),
      )
      socket.on('close', () => resolve()).on('error', () => {})
    })
    expect((await ask(origin, '/')).status).toBe(200)
  })
})

describe('faults of the server', () => {
  it('are not fired by other requests', async () => {
    const tenant = await open(['server-error', 'POST /newsletter'])
    expect((await ask(tenant.origin, '/')).status).toBe(200)
    expect((await ask(tenant.origin, '/newsletter')).status).toBe(404)
    expect(await tenant.fired()).toBeNull()
  })

  it('server-error: once, and the change is not made', async () => {
    const tenant = await open(['server-error', 'POST /newsletter'])
    expect(await subscribe(tenant.origin)).toMatchObject({ status: 500 })
    expect(await newsletter(tenant)).toEqual([])
    expect(await tenant.fired()).toMatchObject({
      kind: 'server-error',
      evidence: 'POST /newsletter was answered with 500',
    })
    expect(await subscribe(tenant.origin)).toMatchObject({ status: 303 })
    expect(await newsletter(tenant)).toEqual(['a@example.com'])
  })

  it('lost-response: the change is made, the answer is not given', async () => {
    const tenant = await open(['lost-response', 'POST /newsletter'])
    // Not a plain end, after which a browser would send the order again.
    await expect(subscribe(tenant.origin)).rejects.toThrow('Parse Error')
    expect(await newsletter(tenant)).toEqual(['a@example.com'])
    expect(await tenant.fired()).toMatchObject({ kind: 'lost-response' })
    expect(await tenant.requests()).toMatchObject([{ status: null }])
    expect(await subscribe(tenant.origin, 'b@example.com')).toMatchObject({ status: 303 })
  })

  it('stall: the answer comes late, once', async () => {
    const tenant = await open(['stall', 'GET /'])
    const late = ask(tenant.origin, '/')
    await expect.poll(() => tenant.fired()).toMatchObject({ kind: 'stall' })
    expect(await tenant.requests()).toMatchObject([{ path: '/', status: null }])
    expect(await late).toMatchObject({ status: 200 })
  })

  it('session-expiry: the user is signed out before the answer', async () => {
    const tenant = await open(['session-expiry', 'GET /account'])
    const { headers } = await signIn(tenant.origin)
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    expect((await ask(tenant.origin, '/account', { headers: { cookie } })).status).toBe(303)
    expect(await tenant.fired()).toMatchObject({ kind: 'session-expiry' })
  })

  it.each([
    ['slow-dom', 'text/later'],
    ['re-render', 'kit:refresh'],
    ['overlay', 'Dismiss notice'],
  ] as const)('%s: the next page carries it, once', async (kind, sign) => {
    const tenant = await open([kind, 'POST /newsletter'])
    expect((await ask(tenant.origin, '/')).text).not.toContain(sign)
    await subscribe(tenant.origin)
    expect(await tenant.fired()).toBeNull()
    expect((await ask(tenant.origin, '/')).text).toContain(sign)
    expect(await tenant.fired()).toMatchObject({ kind })
    expect((await ask(tenant.origin, '/')).text).not.toContain(sign)
  })
})

describe('faults of others', () => {
  it('hold the request until the injection is acknowledged', async () => {
    const tenant = await open(['closed-tab', 'POST /newsletter'])
    const seen: unknown[] = []
    tenant.onPoint(async () => {
      seen.push(await newsletter(tenant))
      return 'the tab was closed'
    })
    expect(await subscribe(tenant.origin)).toMatchObject({ status: 303 })
    expect(seen).toEqual([[]])
    expect(await tenant.fired()).toMatchObject({
      kind: 'closed-tab',
      evidence: 'the tab was closed',
    })
    await subscribe(tenant.origin)
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['was not made', async () => null],
    ['threw', () => Promise.reject(new Error('gone'))],
  ])('are not fired when the injection %s', async (_how, inject) => {
    const tenant = await open(['dialog', 'GET /'])
    tenant.onPoint(inject)
    expect((await ask(tenant.origin, '/')).status).toBe(200)
    expect(await tenant.fired()).toBeNull()
  })
})

describe('the server', () => {
  const servers = (mark: string) =>
    listProcesses().filter(({ environment }) => environment.includes(mark))

  it('makes the next call reject when it has died', async () => {
    const mark = `${RUN}-dies`
    const mortal = await startAppPool({ runMark: mark })
    const tenant = await mortal.open({ app: 'shop', tenant: 'a', seed: 1, fault: null })
    for (const { pid } of servers(mark)) process.kill(pid, 'SIGKILL')
    await expect(tenant.state()).rejects.toThrow(
      'the server of the apps has ended (signal SIGKILL)',
    )
    await mortal.close()
  })

  it('ends with the process that started it', async () => {
    const child = spawn(process.execPath, [await bundleEntry('exercises/browser/apps/main.ts')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.write(`${JSON.stringify({ secret: 'x'.repeat(43) })}\n`)
    const [line] = await once(child.stdout, 'data')
    expect(JSON.parse(String(line))).toEqual({ listening: expect.any(Number) })
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('shows its secret in no argument and no variable, and ends when closed', async () => {
    const mark = `${RUN}-ends`
    const short = await startAppPool({ runMark: mark })
    const [server] = servers(mark)
    const shown = readFileSync(`/proc/${server?.pid}/cmdline`, 'utf8')
    expect(shown.split('\0').slice(1)).toEqual([
      '--enable-source-maps',
      expect.stringMatching(/main-\w+\.mjs$/),
      '',
    ])
    expect(server?.environment.match(/\w+(?==)/g)).toEqual(['PROOFBOARD_RUN', 'PROOFBOARD_EPISODE'])
    await short.close()
    expect(servers(mark)).toEqual([])
  })
})
