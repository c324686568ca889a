import { rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  get,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accepts } from '#lib/domain/api/index.ts'
import { settleEnv } from '#lib/env.ts'
import { waitUntil } from '#lib/testing/e2e/start-copy.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { noteRead, refuseNoting } from '../evidence/noted-reads.ts'
import { answerNotFound } from './answer-not-found.ts'
import { frontPages } from './front-pages.ts'
import { prepareRequests } from './peer-address.ts'

type Render = { path: string; isOver: boolean; answer: () => void }

let temporary: TemporaryDatabase
let server: Server
const renders: Render[] = []

/** Stands where Next does: a page is rendered until the test says so, or until its reader has left. */
function render(request: IncomingMessage, response: ServerResponse): void {
  const { url: path = '' } = request
  const own: Render = {
    path,
    isOver: false,
    answer: () => response.end(`<html>${path}</html>`),
  }
  if (path.startsWith('/api/')) {
    answerBoard(path, request.headers.accept, response)
    return
  }
  if (path.endsWith('/nowhere')) {
    const isSaid = answerNotFound()
    // What comes after the head cannot be said any more.
    response.flushHeaders()
    response.end(`<html>${isSaid} ${answerNotFound()}</html>`)
    return
  }
  renders.push(own)
  if (path.startsWith('/episodes/')) noteRead(join(temporary.dir, 'evidence.txt'))
  if (path.startsWith('/ledger')) refuseNoting()
  response.once('close', () => {
    own.isOver = true
  })
}

/** A minute, of one address. */
const READS = 60
const boards: string[] = []

function answerBoard(path: string, accept: string | undefined, response: ServerResponse): void {
  boards.push(path)
  const headers = { ETag: '"own"', 'Cache-Control': 'no-cache', Vary: 'Accept' }
  // As the endpoint does.
  if (!accepts(accept ?? null, ['application/json'])) response.writeHead(406).end()
  else if (path.includes('refused')) response.writeHead(404, headers).end('{"status":404}')
  else
    response.writeHead(200, { ...headers, 'Content-Type': 'application/json' }).end('{"rows":[]}')
}

beforeAll(async () => {
  temporary = await temporaryDatabase()
  process.env.PROOFBOARD_DATA_DIR = temporary.dir
  process.env.PROOFBOARD_READS_PER_MINUTE = String(READS)
  settleEnv(process.cwd())
  // As a server does: a reader is counted by the address that it came from.
  prepareRequests()
  frontPages({ isKeeping: true })
  server = createServer(render)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await temporary.close()
})

const underWay = () => renders.filter(({ isOver }) => !isOver)
const begun = (path: string) => renders.filter((one) => one.path === path).length

/** A reader of a page; `leave` = the connection is closed before anything came. */
function read(path: string): { text: Promise<string>; leave: () => void } {
  const { port } = server.address() as AddressInfo
  const sent = get({ host: '127.0.0.1', port, path, agent: false })
  const text = new Promise<string>((resolve) => {
    sent.once('error', () => resolve('left'))
    sent.once('response', async (answer) => {
      let all = ''
      for await (const piece of answer.setEncoding('utf8')) all += piece
      resolve(all)
    })
  })
  return { text, leave: () => sent.destroy() }
}

const settled = <T>(what: string, ask: () => T | null) =>
  waitUntil(what, async () => ask(), { everyMs: 10 })

describe('what stands before the pages', () => {
  it('renders two pages at a time, each once for all its readers, and keeps them', async () => {
    const paths = ['/?page=1', '/?page=2', '/?page=3', '/?page=4']
    const readers = [...paths, ...paths].map((path) => ({ path, ...read(path) }))
    for (let done = 0; done < paths.length; done += 2) {
      await settled('two renders', () => (underWay().length === 2 ? true : null))
      await pause(50)
      expect(underWay()).toHaveLength(2)
      for (const one of underWay()) one.answer()
      await settled('both over', () => renders.length > done + 2 || underWay().length === 0 || null)
    }
    for (const { path, text } of readers) expect(await text).toBe(`<html>${path}</html>`)
    expect(renders.map(({ path }) => path).sort()).toEqual(paths)
    expect(await read('/?page=1').text).toBe('<html>/?page=1</html>')
    expect(begun('/?page=1')).toBe(1)
  })

  it('renders again what was rendered from a file that has changed since, or from what nobody can tell', async () => {
    const readNow = async (path: string) => {
      const reader = read(path)
      const isAsked = () => underWay().at(-1) ?? null
      const page = await Promise.race([reader.text, settled('a render', isAsked)])
      if (typeof page !== 'string') page.answer()
      await reader.text
      await settled('all over', () => (underWay().length === 0 ? true : null))
      return begun(path)
    }
    const episode = '/episodes/ep_1'
    expect(await readNow(episode)).toBe(1)
    expect(await readNow(episode)).toBe(1)
    writeFileSync(join(temporary.dir, 'evidence.txt'), 'sealed')
    expect(await readNow(episode)).toBe(2)
    expect(await readNow(episode)).toBe(2)
    rmSync(join(temporary.dir, 'evidence.txt'))
    expect(await readNow(episode)).toBe(3)
    expect(await readNow('/ledger')).toBe(1)
    expect(await readNow('/ledger')).toBe(2)
  })

  it('stops a render once the last of its readers has left, and never begins one that nobody awaits', async () => {
    const [first, again] = [read('/?left=1'), read('/?left=1')]
    const second = read('/?left=2')
    await settled('two renders', () => (underWay().length === 2 ? true : null))
    const third = read('/?left=3')
    await pause(50)
    third.leave()
    first.leave()
    await pause(50)
    expect(underWay()).toHaveLength(2)
    again.leave()
    await settled('one is stopped', () => (underWay().length === 1 ? true : null))
    await pause(50)
    expect(begun('/?left=3')).toBe(0)
    second.leave()
    await settled('the other is stopped', () => (underWay().length === 0 ? true : null))
  })

  it('refuses TRACE, of which no page can be asked', async () => {
    const { port } = server.address() as AddressInfo
    const before = renders.length
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', method: 'TRACE', path: '/agents/a' }
      request(options, resolve).once('error', reject).end()
    })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(renders.length).toBe(before)
  })

  it('answers 404 with the page that says so, cached or not, and no other page with it', async () => {
    const { port } = server.address() as AddressInfo
    // The first address is rendered for all readers, the second for one.
    for (const path of ['/agents/nowhere', '/admin/nowhere', '/agents/nowhere']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([answer.status, await answer.text()]).toEqual([404, '<html>true false</html>'])
    }
    const other = read('/agents/there')
    const asked = await settled('a render', () => underWay().at(-1) ?? null)
    asked.answer()
    expect(await other.text).toBe('<html>/agents/there</html>')
    expect(answerNotFound()).toBe(false)
  })

  it('caches a leaderboard with its own tag, and counts each reader of it', async () => {
    const { port } = server.address() as AddressInfo
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}/api/v1/leaderboard${path}`, { headers })
    const left = (answer: Response) => /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]
    const first = await ask('?suite=a')
    const second = await ask('?suite=a')
    expect(boards).toEqual(['/api/v1/leaderboard?suite=a'])
    expect(await second.json()).toEqual({ rows: [] })
    expect(second.headers.get('etag')).toBe('"own"')
    expect(second.headers.get('cache-control')).toBe('no-cache')
    expect(second.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect((await ask('?suite=a', { 'if-none-match': '"own"' })).status).toBe(304)
    expect(Number(left(second))).toBeLessThanOrEqual(Number(left(first)))
    for (const status of [404, 404]) expect((await ask('?suite=refused')).status).toBe(status)
    expect(boards.filter((path) => path.includes('refused')).length).toBeGreaterThan(2)
    // Who asks too often is left to the endpoint, which refuses.
    const before = boards.length
    await Promise.all(Array.from({ length: 3 * READS }, () => ask('?suite=a')))
    expect(boards.length - before).toBeGreaterThan(READS)
  })
})
