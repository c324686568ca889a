import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { enqueueJob } from '#lib/db/job-store.ts'
import { openDb } from '#lib/db/open-db.ts'
import { saveRun } from '#lib/db/run-store.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { ensureBuilt } from '#lib/setup/build.mjs'
import { callAction, readBuiltSite } from '../e2e/built-site.ts'
import { LocalIssuer } from '../factories/local-issuer.ts'
import { startProofboard } from '../factories/proofboard-command.ts'
import { samplePlan, sampleSuite } from '../factories/samples.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

const PUBLIC_HOST = 'board.example'
const READS_PER_MINUTE = 60
const START_MS = 900_000

const runsSchema = z.object({ runs: z.array(z.object({ subjectLabel: z.string() })) })

/** Problems that operators found with several processes, on each database. */
describe.each([
  { kind: 'sqlite' as const, needs: {} },
  { kind: 'postgresql' as const, needs: { tags: 'postgresql' as const } },
])('two web servers and two workers on $kind', ({ kind, needs }) => {
  describe('as one board', needs, () => {
    let cluster: Cluster
    let issuer: LocalIssuer
    const urls = () => cluster.webs.map(({ url }) => url)
    const data = () => cluster.webs.map((web) => web.said()).join('\n')

    beforeAll(async () => {
      await ensureBuilt()
      issuer = await LocalIssuer.start()
      cluster = await startCluster(kind, {
        PROOFBOARD_URL: `https://${PUBLIC_HOST}`,
        PROOFBOARD_TRUSTED_PROXY: '1',
        PROOFBOARD_READS_PER_MINUTE: String(READS_PER_MINUTE),
        PROOFBOARD_OIDC_ISSUERS: issuer.url,
        PROOFBOARD_CHROMIUM: 'none',
        PROOFBOARD_FIRST_RUNS: '1',
        // Jobs are queued and none is started.
        PROOFBOARD_MIN_FREE: '900000GB',
      })
    }, START_MS)
    afterAll(async () => {
      await cluster?.stop()
      await issuer?.close()
    }, START_MS)

    it('F1: queues the first runs once', async () => {
      const list = async () => runsSchema.parse(await readJson(`${urls()[0]}/api/v1/runs`)).runs
      // More reads than this are refused.
      const interval = (2 * 60_000) / READS_PER_MINUTE
      await expect.poll(async () => (await list()).length, { timeout: 60_000, interval }).toBe(5)
      await wait(3000)
      const subjects = (await list()).map(({ subjectLabel }) => subjectLabel.split(' ')[0])
      expect(subjects.sort()).toEqual(['cheater', 'flaky', 'nop', 'reference', 'wrong'])
    })

    it('F2: answers every probe, and limits readers', async () => {
      for (const url of urls()) {
        const probes = await askOften(url, '/api/v1/health', 2 * READS_PER_MINUTE)
        expect(new Set(probes)).toEqual(new Set([200]))
        expect(await askOften(url, '/api/v1/suites', 2 * READS_PER_MINUTE)).toContain(429)
      }
    })

    it('F3: each server’s link works on both until there is an account, then none', async () => {
      const tokens = cluster.webs.map((web) => /token=([\w-]+)/.exec(web.said())?.[1] ?? '')
      expect(new Set(tokens).size).toBe(2)
      const opened = async () => {
        const pages = urls().flatMap((url) => tokens.map((token) => `${url}/setup?token=${token}`))
        const texts = await Promise.all(pages.map(async (page) => (await fetch(page)).text()))
        return texts.map((text) => text.includes('Create the first account'))
      }
      expect(await opened()).toEqual([true, true, true, true])
      const adding = command(cluster, 'accounts', 'add', 'ada@example.org', '--role', 'admin')
      adding.child.stdin?.end('three words and a horse\n')
      expect(await adding.ended).toMatchObject({ code: 0 })
      expect(await opened()).toEqual([false, false, false, false])
    })

    it('signs in at one server behind a proxy of another name, and is known to the other', async () => {
      const [first = '', second = ''] = urls()
      const action = readBuiltSite().actions.find(({ name }) => name.endsWith('signInAction'))
      if (!action) throw new Error('there is no sign-in')
      const fields = { email: 'ada@example.org', password: 'three words and a horse' }
      const origin = `https://${PUBLIC_HOST}`
      const response = await callAction(first, action, fields, { origin })
      expect(response.cookie).toContain('session_token=')
      const { statusCode } = await ask(second, '/admin', { cookie: response.cookie })
      expect(statusCode).toBe(200)
    })

    it('F4: refuses forms of other sites and unreadable forms, without an error in the log', async () => {
      const action = readBuiltSite().actions[0]
      for (const url of urls()) {
        const foreign = await post(url, { origin: 'https://evil.example' }, '[]', action?.id)
        expect(foreign.statusCode).toBe(403)
        const undecodable = await post(url, { origin: url }, '["$F1"]', action?.id)
        expect(undecodable.statusCode).toBe(400)
      }
      expect(data()).not.toContain('report this bug')
    })

    it('F5: answers the public host and loopback alone, and listens to this machine alone', async () => {
      for (const url of urls()) {
        const status = async (host: string) => (await ask(url, '/', { host })).statusCode
        expect(await status('evil.example')).toBe(421)
        expect(await status(PUBLIC_HOST)).toBe(200)
        expect(await status('localhost')).toBe(200)
        for (const address of outerAddresses())
          await expect(isOpen(address, Number(new URL(url).port))).resolves.toBe(false)
      }
    })

    it('F6: renders a page for another network before a flood is through', async () => {
      const [url = ''] = urls()
      let done = 0
      const flood = Array.from({ length: 60 }, async (_, at) => {
        const response = await ask(url, `/sign-in?next=/${at}`, { 'x-forwarded-for': '192.0.2.1' })
        done++
        return response.statusCode
      })
      await wait(50)
      await ask(url, '/sign-in', { 'x-forwarded-for': '198.51.100.1' })
      // A queue shared by all networks would serve this page last.
      expect(done).toBeLessThan(45)
      expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
    })

    it('F8: limits the streams of one network, not those of all', async () => {
      const [url = ''] = urls()
      const path = `/api/v1/runs/${await addQueuedRun(cluster)}/events`
      const open = (address: string) => ask(url, path, { 'x-forwarded-for': address })
      const streams: IncomingMessage[] = []
      for (let at = 0; at < 101; at++) streams.push(await open('192.0.2.8'))
      streams.push(await open('198.51.100.8'))
      const statuses = streams.map(({ statusCode }) => statusCode)
      for (const stream of streams) stream.destroy()
      expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 200))
      expect(statuses.slice(100)).toEqual([429, 200])
    })

    it('F9: asks an issuer that fails once in 30 seconds', async () => {
      issuer.broken = 500
      const token = await issuer.sign(`https://${PUBLIC_HOST}`)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      for (const url of urls())
        for (let at = 0; at < 3; at++) {
          const { statusCode } = await ask(url, '/api/v1/results', headers, { method: 'POST' })
          expect(statusCode).toBe(503)
        }
      expect(issuer.keyFetches).toBeLessThanOrEqual(2)
    })

    it('F10: says HSTS for https, and reads every form of an address', async () => {
      for (const url of urls()) {
        const { headers } = await ask(url, '/api/v1/health')
        expect(headers['strict-transport-security']).toContain('max-age=')
        expect(await firstLine(url, 'GET *')).toMatch(/ (400|404|405) /)
        expect(await firstLine(url, `GET http://${PUBLIC_HOST}/api/v1/health`)).toMatch(/ 200 /)
      }
      expect(data()).not.toContain('report this bug')
    })

    it('names the keys of the ledger and of sessions in a backup', async () => {
      const to = join(tmpdir(), `proofboard-backup-${process.pid}`)
      const { ended } = command(cluster, 'backup', 'create', '--to', to, '--with-secret')
      const { code, stdout, stderr } = await ended
      expect(code, stderr).toBe(0)
      expect(stdout + stderr).toMatch(/included: .*auth-secret/)
      expect(stdout + stderr).toMatch(/ledger-key/)
      await rm(to, { recursive: true, force: true })
    })
  })
})

function command(cluster: Cluster, ...args: string[]) {
  return startProofboard(cluster.env.PROOFBOARD_DATA_DIR ?? '', args, cluster.env)
}

/** Adds a queued run, whose event stream does not end. */
async function addQueuedRun({ env }: Cluster): Promise<string> {
  const place = env.DATABASE_URL ?? join(env.PROOFBOARD_DATA_DIR ?? '', 'proofboard.db')
  const db = openDb(place)
  try {
    const plan = samplePlan()
    await saveSuite(db, sampleSuite('1.0.0'), new Date(0))
    const { suiteId, subject } = plan
    const jobId = await enqueueJob(
      db,
      { suiteId, subject: subject.name, repetitions: 1 },
      new Date(),
    )
    await saveRun(db, { runId: 'run_operator1', plan, provenance: 'local', jobId }, new Date())
    return 'run_operator1'
  } finally {
    await db.$disconnect()
  }
}

async function readJson(url: string): Promise<unknown> {
  return (await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.1' } })).json()
}

async function askOften(url: string, path: string, times: number): Promise<(number | undefined)[]> {
  const address = { 'x-forwarded-for': '203.0.113.2' }
  const all = Array.from({ length: times }, () => ask(url, path, address))
  return (await Promise.all(all)).map(({ statusCode }) => statusCode)
}

/** Sends a request with any Host and Origin, which `fetch` does not allow; ignores the response. */
async function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  options: RequestOptions = {},
  body = '',
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url)
  const sent = request({ hostname, port, path, headers, agent: false, ...options })
  sent.on('error', () => {})
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  response.resume()
  return response
}

function post(url: string, headers: Record<string, string>, body: string, action = '') {
  const all = { ...headers, 'next-action': action, 'content-type': 'text/plain' }
  return ask(url, '/sign-in', all, { method: 'POST' }, body)
}

async function firstLine(url: string, start: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`${start} HTTP/1.1\r\nHost: ${PUBLIC_HOST}\r\nConnection: close\r\n\r\n`)
  const [data] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return data.toString('latin1').split('\r\n')[0] ?? ''
}

function outerAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map((it) => it.address)
}

async function isOpen(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).then((open) => {
    socket.destroy()
    return open as boolean
  })
}
