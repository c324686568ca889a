import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { startWeb } from '../e2e/start-copy.ts'
import { quantileOf } from './logs.ts'
import { WHOLE_EPISODE } from './scale-data.ts'
import { cpuOf, measureCpu, print, readMemory } from './scale-figures.ts'

/** An address and its CPU-time goal in milliseconds; null = no goal. */
type Page = readonly [path: string, goalMs: number | null]

const PAGES: readonly Page[] = [
  ['/', 60],
  ['/plan', 100],
  ['/nowhere', 5],
  ['/agents/nobody', 5],
  ['/agents/agent-1', 60],
  ['/compare', null],
  ['/runs', null],
  ['/runs/run_scale000000x0', null],
  [`/episodes/${WHOLE_EPISODE.episodeId}`, null],
  ['/api/v1/leaderboard?suite=scale', 15],
  ['/api/v1/episodes?limit=100', null],
  ['/api/v1/episodes?outcome=tampered', null],
]
const BUSY_PAGES = ['/', '/api/v1/leaderboard?suite=scale']
const WARM_UP = 50
const REQUESTS = 100
const CONNECTIONS = 32

/** Prints the CPU time of each page on a server that renders it for every request, without a cache. */
export async function measurePages(dir: string): Promise<void> {
  process.env.PROOFBOARD_READS_PER_MINUTE = '1000000'
  const web = await startWeb(dir)
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  try {
    for (const page of [...PAGES, await findMovedPage(web.url)])
      await measurePage(web.url, page, { pid: web.pid, agent })
    for (const path of BUSY_PAGES)
      await measureCrowd(`${web.url}${path}`, path, { pid: web.pid, agent })
    print('memory of the web server', readMemory(web.pid) / 1e6, 'MB', 600)
  } finally {
    agent.destroy()
    await web.stop()
  }
}

const boardSchema = z.object({ rows: z.array(z.object({ rowId: z.string() })) })

/** Old address of an entry's page, which redirects to its board. */
async function findMovedPage(url: string): Promise<Page> {
  const response = await fetch(`${url}/api/v1/leaderboard?suite=scale`)
  const { rows } = boardSchema.parse(await response.json())
  return [`/rows/${rows[0]?.rowId}`, 5]
}

type Server = { pid: number; agent: Agent }

async function measurePage(url: string, [path, goal]: Page, { pid, agent }: Server): Promise<void> {
  const address = `${url}${path}`
  await repeat(WARM_UP, () => ask(address, agent))
  const page = await cpuOf(pid, () => repeat(REQUESTS, () => ask(address, agent)))
  print(path, page / REQUESTS, 'ms', goal)
  let { etag } = await ask(address, agent)
  if (etag === undefined) return
  const same = await cpuOf(pid, () =>
    repeat(REQUESTS, async () => {
      // A page changes once a minute.
      etag = (await ask(address, agent, { 'if-none-match': etag ?? '' })).etag
    }),
  )
  print(`${path}: 304`, same / REQUESTS, 'ms', null)
}

/** Requests per connection, enough that the first ones do not determine the 95th percentile. */
const EACH = 10

/**
 * Wall times are meaningful only if server and client have a core each, so their CPU shares are printed. A server that
 * used a whole core is as fast as possible; a client that did is itself what is measured.
 */
async function measureCrowd(url: string, path: string, { pid, agent }: Server): Promise<void> {
  const crowd = (work: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: CONNECTIONS }, work))
  await crowd(() => ask(url, agent))
  const times: number[] = []
  const timed = async () => {
    const start = performance.now()
    await ask(url, agent)
    times.push(performance.now() - start)
  }
  const start = performance.now()
  let server = 0
  const client = await measureCpu(async () => {
    server = await cpuOf(pid, async () => void (await crowd(() => repeat(EACH, timed))))
  })
  const clock = performance.now() - start
  const at = `${path}: at ${CONNECTIONS} connections (clock)`
  print(`${at}, p50`, quantileOf(times, 0.5), 'ms', null)
  print(`${at}, p95`, quantileOf(times, 0.95), 'ms', null)
  print(`${path}: meanwhile the server had`, (100 * server) / clock, '%', null)
  print(`${path}: and this client`, (100 * client) / clock, '%', null)
}

const EXPECTED = [200, 304, 307, 404]

/** Requests over keep-alive connections, as a browser does, and discards the body. */
function ask(url: string, agent: Agent, headers: Record<string, string> = {}) {
  return new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const sent = get(url, { agent, headers: { 'accept-encoding': 'gzip', ...headers } })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { statusCode = 0, headers: told } = response
      if (!EXPECTED.includes(statusCode)) reject(new Error(`${url}: ${statusCode}`))
      response.resume().once('end', () => resolve(told))
    })
  })
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work()
}
