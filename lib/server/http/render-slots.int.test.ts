import { createServer, get, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { settleEnv } from '#lib/env.ts'
import { waitUntil } from '#lib/testing/e2e/start-copy.ts'
import { prepareRequests } from './peer-address.ts'
import { takeRenderSlot } from './render-slots.ts'

type Render = { path: string; response: ServerResponse }

let server: Server
let renders: Render[] = []
let refused: string[] = []
let leaveRequests = () => {}

/** Renders the page when its slot is free, as proxy.ts does. */
async function respond(path: string, headers: Headers, response: ServerResponse): Promise<void> {
  const slot = await takeRenderSlot(headers)
  if (slot === 'taken') renders.push({ path, response })
  else refused.push(path)
}

beforeAll(async () => {
  settleEnv(process.cwd())
  leaveRequests = prepareRequests()
  server = createServer((request, response) => {
    const headers = new Headers(request.headers as Record<string, string>)
    void respond(request.url ?? '', headers, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  renders = []
  refused = []
})
afterAll(() => {
  leaveRequests()
  server.closeAllConnections()
  server.close()
})

/** Reads from an address of this machine; `leave` closes the connection. */
function read(path: string, localAddress = '127.0.0.1') {
  const { port } = server.address() as AddressInfo
  const sent = get({ host: '127.0.0.1', port, path, agent: false, localAddress })
  const text = new Promise<string>((resolve) => {
    sent.once('error', () => resolve('left'))
    sent.once('response', (response) => {
      textOf(response).then(resolve, () => resolve('left'))
    })
  })
  return { text, leave: () => sent.destroy() }
}

const started = (count: number) =>
  waitUntil(`${count} renders`, async () => (renders.length === count ? true : null), {
    everyMs: 10,
  })
const paths = () => renders.map(({ path }) => path)

it('renders two pages of a network at a time, and those of others beside them', async () => {
  const flood = ['/1', '/2', '/3', '/4'].map((path) => read(path))
  await started(2)
  const other = read('/other', '127.0.0.2')
  await started(3)
  expect(paths().at(-1)).toBe('/other')
  for (let index = 0; index < 5; index++) {
    await started(Math.min(5, 3 + index))
    renders[index]?.response.end('page')
  }
  for (const { text } of [...flood, other]) expect(await text).toBe('page')
})

it('starts no render whose reader has left, and frees the place of one that leaves', async () => {
  const [first, second] = [read('/1'), read('/2')]
  await started(2)
  const third = read('/3')
  const fourth = read('/4')
  await pause(50)
  third.leave()
  await pause(50)
  first.leave()
  await started(3)
  expect(paths()).toEqual(['/1', '/2', '/4'])
  expect(refused).toEqual(['/3'])
  for (const { response } of renders) response.end('page')
  expect(await second.text).toBe('page')
  expect(await fourth.text).toBe('page')
})

it('does not wait for readers that are slow to receive their pages', async () => {
  const slow = ['/1', '/2'].map((path) => read(path))
  await started(2)
  // Headers and a part of the page are sent; the rest waits for the reader.
  for (const { response } of renders) response.write('part')
  const next = read('/3')
  await started(3)
  renders[2]?.response.end('page')
  expect(await next.text).toBe('page')
  for (const reader of slow) reader.leave()
})
