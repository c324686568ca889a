// @module-tag nginx
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Nginx, startNginx } from './start-nginx.ts'

const PUBLIC = 'public, s-maxage=1, stale-while-revalidate=60'
const SESSION = 'theme=dark; proofboard.session_token=secret'

/** A small board: `/` is public and changes with `state`; users with a session get a page of their own. */
let state = 'first'
let renderMs = 0
let requested: IncomingMessage[] = []
let receivedBytes = 0
let board: Server
let nginx: Nginx

function respond(incoming: IncomingMessage, response: ServerResponse): void {
  requested.push(incoming)
  const url = incoming.url ?? ''
  if (url === '/api/events') sendEvents(response)
  else if (url === '/api/upload') receive(incoming, response)
  else if (url === '/api/log') response.end(Buffer.alloc(64 * 1024 * 1024, 'x'))
  else sendPage(incoming, response)
}

function sendPage(incoming: IncomingMessage, response: ServerResponse): void {
  const url = incoming.url ?? ''
  const isSignedIn = incoming.headers.cookie?.includes('session_token') ?? false
  if (isSignedIn || url.startsWith('/private')) {
    response.setHeader('Cache-Control', 'private, no-store')
    response.end(`page of ${incoming.headers.cookie}`)
    return
  }
  const etag = `"${state}"`
  const headers = { 'Cache-Control': PUBLIC, ETag: etag, Vary: 'Cookie, RSC, Accept-Encoding' }
  const isKnown = incoming.headers['if-none-match'] === etag
  setTimeout(() => {
    response.writeHead(isKnown ? 304 : 200, { ...headers, 'Content-Type': 'text/html' })
    response.end(isKnown ? undefined : `${state} ${url}`)
  }, renderMs)
}

function sendEvents(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  response.write('data: 1\n\n')
}

function receive(incoming: IncomingMessage, response: ServerResponse): void {
  incoming.on('data', (part: Buffer) => {
    receivedBytes += part.length
  })
  incoming.on('end', () => response.end('stored'))
}

beforeAll(async () => {
  board = createServer(respond).listen(0, '127.0.0.1')
  await once(board, 'listening')
  const address = board.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  nginx = await startNginx([`127.0.0.1:${address.port}`])
})
afterAll(async () => {
  board.closeAllConnections()
  board.close()
  await nginx.stop()
})
beforeEach(() => {
  requested = []
  renderMs = 0
})

/** Reads a page from its own client address. */
async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${nginx.url}${path}`, {
    headers: { 'X-Test-Address': '192.0.2.1', ...headers },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const readMany = (count: number, path: (at: number) => string, address = '192.0.2.1') =>
  Promise.all(
    Array.from({ length: count }, (_, at) => read(path(at), { 'X-Test-Address': address })),
  )

it('renders a page once for many readers at the same time', async () => {
  renderMs = 300
  const answers = await readMany(40, () => '/crowd')
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['first /crowd']))
  expect(requested).toHaveLength(1)
})

it('shows a change once the page is too old, the old one only while a reader fetches it, and 304 for what a browser has', async () => {
  state = 'before'
  const { headers } = await read('/change')
  state = 'after'
  expect((await read('/change')).text).toBe('before /change')
  await wait(2100)
  renderMs = 300
  const fetching = read('/change')
  await wait(100)
  expect((await read('/change')).text).toBe('before /change')
  expect((await fetching).text).toBe('after /change')
  expect((await read('/change', { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(200)
  expect((await read('/change', { 'If-None-Match': '"after"' })).status).toBe(304)
  expect(headers.get('cache-control')).toBe('no-cache')
  await wait(2100)
  expect((await read('/change')).text).toBe('after /change')
  expect(requested.at(-1)?.headers['if-none-match']).toBe('"after"')
})

it('stores nothing of a signed-in reader, and gives them nothing that it stored', async () => {
  await read('/mine')
  for (const cookie of [SESSION, '__Secure-proofboard.session_token=secret'])
    expect((await read('/mine', { cookie })).text).toBe(`page of ${cookie}`)
  expect((await read('/fresh', { cookie: SESSION })).text).toContain('secret')
  expect((await read('/fresh')).text).toBe(`${state} /fresh`)
  await read('/private')
  await read('/private')
  for (const header of ['authorization', 'rsc', 'next-action'])
    await read(`/header-${header}`, { [header]: 'secret' })
  const cache = (await nginx.readCache()).join('\n')
  expect(cache).toContain('/fresh')
  expect(cache).not.toMatch(/secret|\/private|header-/)
})

it('stores a page once, whatever a reader adds that does not change it', async () => {
  await read('/junk')
  const same = [
    ['/junk?utm_source=feed&utm_medium=rss', {}],
    ['/junk?fbclid=1', {}],
    ['/junk', { cookie: 'theme=dark', accept: 'image/png', 'user-agent': 'other' }],
    ['/junk', { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '10.0.0.1' }],
  ] as const
  for (const [path, headers] of same) await read(path, headers)
  // Fetch accepts gzip; clients that do not have a separate cached copy.
  await read('/junk', { 'accept-encoding': 'identity' })
  await read('/junk', { 'accept-encoding': 'gzip;q=0, br' })
  expect(requested.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', undefined])
  await read('/junk?suite=demo')
  expect(requested).toHaveLength(3)
})

it('does not mix hosts: one that the board refuses never gets a stored page', async () => {
  await read('/host')
  const { port } = new URL(nginx.url)
  const response = await send({ port, path: '/host', headers: { host: 'evil.example' } })
  expect(response.statusCode).toBe(200)
  expect(requested.map(({ headers }) => headers['x-forwarded-host'])).toEqual([
    `127.0.0.1:${port}`,
    'evil.example',
  ])
})

it('tells the board where a reader is, whatever the reader claims', async () => {
  await read('/address', { 'X-Test-Address': '198.51.100.7', 'x-forwarded-for': '127.0.0.1' })
  expect(requested[0]?.headers).toMatchObject({
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-host': new URL(nginx.url).host,
    'x-forwarded-proto': 'http',
  })
})

it('stops a flood of one network, and no other reader waits for it', async () => {
  renderMs = 100
  const flood = readMany(300, (at) => `/?x=${at}`, '2001:db8:0:1::1')
  const neighbour = readMany(100, (at) => `/?y=${at}`, '2001:db8:0:1:ffff::2')
  const startedAt = performance.now()
  const other = await read('/?z=1', { 'X-Test-Address': '2001:db8:0:2::1' })
  expect(other.status).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(5000)
  const statuses = [...(await flood), ...(await neighbour)].map(({ status }) => status)
  const served = statuses.filter((status) => status === 200).length
  expect(served).toBeGreaterThan(30)
  expect(served).toBeLessThan(100)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
}, 60_000)

it('passes events on as they come', async () => {
  const response = await fetch(`${nginx.url}/api/events`)
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toBe('data: 1\n\n')
  await reader?.cancel()
})

it('passes an upload on while it is sent', async () => {
  receivedBytes = 0
  const { port } = new URL(nginx.url)
  const part = Buffer.alloc(1024 * 1024)
  const upload = request({ port, path: '/api/upload', method: 'POST' })
  const answered = once(upload, 'response')
  for (let sent = 0; sent < 8; sent++) upload.write(part)
  await expect.poll(() => receivedBytes, { timeout: 60_000 }).toBeGreaterThan(4 * part.length)
  upload.end()
  const [result] = await answered
  expect(result.statusCode).toBe(200)
  result.resume()
})

it('holds no more of a log for a slow reader than fits into memory', async () => {
  const { port, hostname } = new URL(nginx.url)
  const slow = connect(Number(port), hostname)
  slow.write(`GET /api/log HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  slow.pause()
  await expect.poll(() => requested.length).toBe(1)
  await wait(500)
  expect(requested[0]?.socket.writableLength).toBeGreaterThan(32 * 1024 * 1024)
  slow.destroy()
})

it('refuses a form that is too large before the board sees it', async () => {
  const { port } = new URL(nginx.url)
  const body = Buffer.alloc(3 * 1024 * 1024)
  const response = await send({ port, path: '/sign-in', method: 'POST' }, body)
  expect(response.statusCode).toBe(413)
  expect(requested).toHaveLength(0)
})

async function send(options: RequestOptions, body?: Buffer): Promise<IncomingMessage> {
  const sent = request(options)
  sent.on('error', () => {})
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response
}
