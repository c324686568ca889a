import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppPool, Tenant } from '../app-pool.ts'
import { GREENHOUSE } from './node-red.ts'
import { startThirdPartyPool } from './start-third-party-pool.ts'

let folder: string
let pool: AppPool

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofboard-third-'))
  pool = startThirdPartyPool(process.cwd(), { folder, runMark: 'third-test' })
})
afterAll(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

type Call = { method?: string; path: string; body?: unknown; headers?: Record<string, string> }

/** Sends a request like a browser: the tenant's name in the Host header, the connection to loopback. */
function ask({ origin }: Tenant, { method = 'GET', path, body, headers = {} }: Call) {
  const { port, host } = new URL(origin)
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise<{ status: number | null; text: string }>((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { host, ...headers }, agent: false },
      (response) => {
        let message = ''
        response.on('data', (part) => {
          message += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? null, text: message }))
      },
    )
    sent.on('error', () => resolve({ status: null, text: '' }))
    sent.end(text)
  })
}

const deploy = (flows: unknown): Call => ({
  method: 'POST',
  path: '/flows',
  body: flows,
  headers: { 'content-type': 'application/json' },
})
const writeNote = (title: string): Call => ({
  method: 'PUT',
  path: `/recipes/default/tiddlers/${encodeURIComponent(title)}`,
  body: { title, text: 'Five rows.', tags: 'crop [[late summer]]', fields: {} },
  headers: { 'content-type': 'application/json', 'x-requested-with': 'TiddlyWiki' },
})
const more = [
  ...GREENHOUSE,
  { ...GREENHOUSE[2], id: 'b1', name: 'Second log', z: GREENHOUSE[0]?.id },
]

test('a flow that is deployed can be seen in the state, and the next tenant begins anew', async () => {
  const first = await pool.open({ app: 'node-red', tenant: 'ep-1', seed: 1, fault: null })
  const before = await first.state()
  expect(await ask(first, { path: '/' })).toMatchObject({ status: 200 })
  expect(await ask(first, deploy(more))).toMatchObject({ status: 204 })
  await ask(first, { ...deploy({ theme: 'dark' }), path: '/settings/user' })
  expect(await first.state()).not.toEqual(before)
  expect(await first.requests()).toContainEqual(
    expect.objectContaining({ method: 'POST', path: '/flows', status: 204 }),
  )
  await first.close()
  const second = await pool.open({ app: 'node-red', tenant: 'ep-2', seed: 1, fault: null })
  expect(await second.state()).toEqual(before)
  expect((await ask(second, { path: '/settings/user' })).text).toBe('{}')
  expect(await second.requests()).toHaveLength(1)
  expect((await ask(first, { path: '/flows' })).status).toBe(404)
  await second.close()
})

test('two tenants at one time do not see each other', async () => {
  const order = { app: 'tiddlywiki', seed: 1, fault: null }
  const [one, two] = await Promise.all(
    ['ep-3', 'ep-4'].map((tenant) => pool.open({ ...order, tenant })),
  )
  expect((await ask(one!, writeNote('Leeks'))).status).toBe(204)
  expect(await one?.state()).toMatchObject({
    changed: [{ title: 'Leeks', tags: ['crop', 'late summer'], text: 'Five rows.' }],
  })
  expect(await two?.state()).toMatchObject({ changed: [], drafts: [], gone: [] })
  await one?.close()
  await two?.close()
  for (const tenant of ['ep-5', 'ep-6']) {
    const later = await pool.open({ ...order, tenant })
    expect(await later.state()).toMatchObject({ changed: [], drafts: [], gone: [] })
  }
})

test('faults fire once, at the first request that fits', async () => {
  const at = 'PUT /recipes/default/tiddlers/*'
  const open = (tenant: string, kind: 'lost-response' | 'server-error' | 'closed-tab') =>
    pool.open({ app: 'tiddlywiki', tenant, seed: 1, fault: { kind, at } })
  const lost = await open('ep-7', 'lost-response')
  await ask(lost, { path: '/status' })
  expect(await lost.fired()).toBeNull()
  expect((await ask(lost, writeNote('Leeks'))).status).toBeNull()
  expect(await lost.state()).toMatchObject({ changed: [{ title: 'Leeks' }] })
  expect(await lost.fired()).toMatchObject({ kind: 'lost-response' })
  expect((await ask(lost, writeNote('Leeks'))).status).toBe(204)
  await lost.close()
  const broken = await open('ep-8', 'server-error')
  expect((await ask(broken, writeNote('Leeks'))).status).toBe(500)
  expect(await broken.state()).toMatchObject({ changed: [] })
  expect((await ask(broken, writeNote('Leeks'))).status).toBe(204)
  await broken.close()
  const point = await open('ep-9', 'closed-tab')
  point.onPoint(async () => 'the tab was closed')
  expect((await ask(point, writeNote('Leeks'))).status).toBe(204)
  expect(await point.fired()).toMatchObject({ kind: 'closed-tab', evidence: 'the tab was closed' })
  await point.close()
})

test('a WebSocket passes, and ends with its tenant', async () => {
  const tenant = await pool.open({ app: 'node-red', tenant: 'ep-10', seed: 1, fault: null })
  const { port, host } = new URL(tenant.origin)
  const headers = {
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16, 7).toString('base64'),
  }
  const sent = request({ host: '127.0.0.1', port, path: '/comms', headers, agent: false })
  const [response, socket] = await new Promise<[IncomingMessage, Duplex]>((resolve) => {
    sent.on('upgrade', (incoming, duplex) => resolve([incoming, duplex]))
    sent.end()
  })
  expect(response.statusCode).toBe(101)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  // The app itself responds to a ping: 0x8a is a pong.
  const pong = new Promise<Buffer>((resolve) => socket.once('data', resolve))
  socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]))
  expect((await pong)[0]).toBe(0x8a)
  socket.on('error', () => {})
  await tenant.close()
  await ended
})

test('a package that is not there is one sentence', async () => {
  const empty = startThirdPartyPool(folder, { folder, runMark: 'third-test' })
  const opened = empty.open({ app: 'node-red', tenant: 'ep-11', seed: 1, fault: null })
  await expect(opened).rejects.toThrow('is the npm package node-red, which is not installed')
  await empty.close()
})
