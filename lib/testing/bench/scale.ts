import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { cachingBuilder } from '../../db/cached-boards.ts'
import type { Db } from '../../db/db.ts'
import { claimJob } from '../../db/job-lease.ts'
import { enqueueJob } from '../../db/job-store.ts'
import { openDb } from '../../db/open-db.ts'
import { settleEnv } from '../../env.ts'
import { keepHeapSmall } from '../../worker/board-thread.ts'
import { startWeb } from '../e2e/start-copy.ts'
import { measureRealIngest } from './ingest.ts'
import { quantileOf } from './logs.ts'
import { makeScaleData, scaleSuite, startScaleRun, WHOLE_EPISODE } from './scale-data.ts'

const SIZES = '10000,100000,1000000'
const PARTS = 'pages,ingest'
const MB = 1e6
const run = promisify(execFile)

/**
 * Makes databases of these sizes, each in a folder that is removed, and prints every figure beside its goal. Times are of
 * the processor, since a machine that is busy otherwise makes the clock say little. `parts`: what to measure.
 */
export async function main(args: readonly string[], self: string): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string', default: SIZES },
      parts: { type: 'string', default: PARTS },
      refresh: { type: 'string' },
    },
  })
  if (values.refresh !== undefined) return refreshIn(values.refresh)
  const parts = new Set(values.parts.split(','))
  for (const size of values.sizes.split(',').map(Number)) await measureSize(size, self, parts)
  if (parts.has('ingest')) await measureRealIngest()
}

async function measureSize(size: number, self: string, parts: ReadonlySet<string>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'proofboard-bench-scale-'))
  try {
    const load = loadavg()[0]?.toFixed(1)
    // What others do at the same time makes processor time longer too.
    process.stdout.write(
      `\n${size.toLocaleString('en-US')} episodes, 200 entries, 25 tasks; load of the machine ${load}\n`,
    )
    const file = join(dir, 'proofboard.db')
    await makeScaleData(file, size)
    print('database', statSync(file).size / MB, 'MB', null)
    // Pages need a board, so this part comes first whatever is asked for.
    const { stdout } = await run(process.execPath, [self, '--refresh', dir])
    process.stdout.write(stdout)
    if (parts.has('pages')) await measurePages(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const MORE = 7
/** Refreshes that are measured, behind as many that only warm the process up. */
const REFRESHES = 30
const QUEUES = [100, 10_000]

/** In a process of its own, so that its memory is that of the board's thread alone. */
async function refreshIn(dir: string): Promise<void> {
  process.env.PROOFBOARD_DATA_DIR = dir
  settleEnv(process.cwd())
  keepHeapSmall()
  const db = openDb(join(dir, 'proofboard.db'))
  const { suiteId } = scaleSuite()
  const build = cachingBuilder(db)
  print('first board, facts copied', (await measureCpu(() => build(suiteId))) / 1000, 's', null)
  const rebuilt = await measureCpu(() => cachingBuilder(db)(suiteId))
  print('rebuild from nothing', rebuilt / 1000, 's', 60)
  print('memory of rebuilding', (process.resourceUsage().maxRSS * 1024) / MB, 'MB', 1000)
  await measureEpisodes(db, () => build(suiteId))
  print('memory after one more episode, again and again', readMemory(process.pid) / MB, 'MB', 600)
  await measureClaims(db)
  await db.$disconnect()
}

/** What a refresh costs once an episode is stored: all that the worker does until it stands on the board. */
async function measureEpisodes(db: Db, refresh: () => Promise<void>): Promise<void> {
  const suite = scaleSuite()
  const single = { ...suite, tasks: suite.tasks.slice(0, 1) }
  const start = (row: number, name: string, repetitions: number) =>
    startScaleRun(db, repetitions === 1 ? single : suite, {
      ...{ row, name, repetitions },
      isSolved: () => true,
    })
  const measure = async (name: string, goal: number | null, add: (at: number) => Promise<void>) => {
    const times: number[] = []
    for (let at = 0; at < 2 * REFRESHES; at++) {
      await add(at)
      times.push(await measureCpu(refresh))
    }
    const measured = times.slice(REFRESHES)
    print(name, quantileOf(measured, 0.5), 'ms', goal)
    print('  the cheapest tenth of these', quantileOf(measured, 0.1), 'ms', null)
  }
  const alone = async (row: number, name: string) => (await start(row, name, 1))()
  await measure('one more episode, a run of its own', 20, (at) => alone(100, `own${at}`))
  const saveNext = await start(101, 'next', Math.ceil((2 * REFRESHES) / suite.tasks.length))
  await measure('one more episode of a run under way', 20, saveNext)
  await measure('the first of its entry since the start', null, (at) =>
    alone(102 + at, `cold${at}`),
  )
}

/** Jobs that fit beside nothing: each claim takes one and leaves the others in line. */
async function measureClaims(db: Db): Promise<void> {
  const now = new Date()
  let queued = 0
  for (const size of QUEUES) {
    for (; queued < size; queued++)
      await enqueueJob(db, { suiteId: 'scale', subject: 'reference', repetitions: 1 }, now)
    const times: number[] = []
    for (let time = 0; time < MORE; time++) {
      const newRunId = `run_claim${size}${time}`
      const claim = { owner: 'bench', now, leaseMs: 1000, newRunId }
      times.push(await measureCpu(async () => void (await claimJob(db, claim))))
    }
    print(`claim of a job, ${size} queued`, quantileOf(times, 0.5), 'ms', null)
  }
  await db.job.deleteMany({})
}

/** Milliseconds of processor that this process took. */
async function measureCpu(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const PAGES = [
  '/',
  '/agents/agent-1',
  '/compare',
  '/runs',
  '/runs/run_scale000000x0',
  `/episodes/${WHOLE_EPISODE.episodeId}`,
  '/api/v1/leaderboard?suite=scale',
  '/api/v1/episodes?limit=100',
]
const KEPT = /^\/(?:$|agents|compare|api\/v1\/leaderboard)/
const REQUESTS = 100
const CONNECTIONS = 32

async function measurePages(dir: string): Promise<void> {
  process.env.PROOFBOARD_READS_PER_MINUTE = '1000000'
  const web = await startWeb(dir)
  try {
    for (const path of PAGES) await measurePage(`${web.url}${path}`, path, web.pid)
    print('memory of the web server', readMemory(web.pid) / MB, 'MB', 600)
  } finally {
    await web.stop()
  }
}

async function measurePage(url: string, path: string, pid: number): Promise<void> {
  const goals = KEPT.test(path)
    ? { page: 3, same: 1, p95: 100 }
    : { page: null, same: null, p95: null }
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  await ask(url, agent)
  const { etag } = await ask(url, agent)
  const page = await cpuOf(pid, () => repeat(REQUESTS, () => ask(url, agent)))
  print(`${path}: a request`, page / REQUESTS, 'ms', goals.page)
  if (etag !== undefined) {
    const headers = { 'if-none-match': etag }
    const same = await cpuOf(pid, () => repeat(REQUESTS, () => ask(url, agent, headers)))
    print(`${path}: 304`, same / REQUESTS, 'ms', goals.same)
  }
  await measureCrowd(url, path, { pid, agent, goal: goals.p95 })
  agent.destroy()
}

/** Requests of each connection: enough that opening it and the first ones do not decide the 95th percentile. */
const EACH = 50

/**
 * Times of the clock say what they should only where server and client have a core each, so what they had is printed. A
 * server that had all of a core is as quick as it can be; a client that had would be what is measured.
 */
async function measureCrowd(
  url: string,
  path: string,
  { pid, agent, goal }: { pid: number; agent: Agent; goal: number | null },
): Promise<void> {
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
  print(`${at}, p95`, quantileOf(times, 0.95), 'ms', goal)
  print(`${path}: meanwhile the server had`, (100 * server) / clock, '%', null)
  print(`${path}: and this client`, (100 * client) / clock, '%', null)
}

/** Over connections that stay open, as a browser asks; what comes is read and thrown away. */
function ask(url: string, agent: Agent, headers: Record<string, string> = {}) {
  return new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const sent = get(url, { agent, headers: { 'accept-encoding': 'gzip', ...headers } })
    sent.once('error', reject)
    sent.once('response', (answer) => {
      const { statusCode = 0, headers: told } = answer
      if (statusCode !== 200 && statusCode !== 304) reject(new Error(`${url}: ${statusCode}`))
      answer.resume().once('end', () => resolve(told))
    })
  })
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work()
}

async function cpuOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = readCpu(pid)
  await work()
  return readCpu(pid) - before
}

/** Of Linux's hundred ticks a second. */
const TICK_MS = 10

/** Milliseconds of processor that a process took; NaN where there is no /proc. */
function readCpu(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const [user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return (Number(user) + Number(system)) * TICK_MS
}

function readMemory(pid: number): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return Number.NaN
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) * 1024
}

function print(name: string, value: number, unit: string, goal: number | null): void {
  const shown = value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  const beside = goal === null ? '' : `  goal ${goal} ${unit}${value <= goal ? '' : '  missed'}`
  process.stdout.write(`  ${name.padEnd(62)} ${shown.padStart(8)} ${unit.padEnd(3)}${beside}\n`)
}
