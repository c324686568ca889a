import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sampleQuantile } from '#lib/domain/statistics/index.ts'
import { startWeb } from '../e2e/start-copy.ts'
import { plantDemo } from '../factories/demo/plant-demo.ts'
import { startNginx } from '../nginx/start-nginx.ts'

// An address with a query has a limit of its own, which these readers exceed.
const PAGES = ['/', '/runs', '/suites', '/methodology']
const READERS = 32
const SECONDS = 20
/** Keeps each reader below the rate limit of one address. */
const PAUSE_MS = 30
const GOALS = { cpuMs: 0.1, p95Ms: 20 }

/** Prints the server's CPU time and the readers' waiting time, with 32 concurrent readers behind nginx. */
export async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-bench-nginx-'))
  process.env.PROOFBOARD_TRUSTED_PROXY = '1'
  await plantDemo(dataDir, { withBrowser: true })
  const web = await startWeb(dataDir)
  const nginx = await startNginx([`127.0.0.1:${web.port}`])
  try {
    say(
      `${'page'.padEnd(16)}${columns('pages/s', 'p50 ms', 'p95 ms', 'CPU ms/page', 'cached %', 'kB')}`,
    )
    for (const page of PAGES) await measure(page, nginx.url, web.pid)
    say(`${'goal'.padEnd(16)}${columns('', '', String(GOALS.p95Ms), String(GOALS.cpuMs), '', '')}`)
  } finally {
    await nginx.stop()
    await web.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(page: string, url: string, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  await read(`${url}${page}`, agent, 0)
  const until = performance.now() + SECONDS * 1000
  const before = cpuMs(pid)
  const answers: Answer[] = []
  const reader = async (at: number) => {
    while (performance.now() < until) {
      answers.push(await read(`${url}${page}`, agent, at))
      await pause(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: READERS }, (_, at) => reader(at)))
  agent.destroy()
  const cost = (cpuMs(pid) - before) / answers.length
  const refused = answers.filter(({ status }) => status !== 200).length
  const hits = answers.filter(({ headers }) => headers['x-cache-status'] === 'HIT').length
  const times = answers.map(({ ms }) => ms)
  const quantile = (share: number) => (sampleQuantile(times, share) ?? Number.NaN).toFixed(1)
  const cells = [
    (answers.length / SECONDS).toFixed(0),
    quantile(0.5),
    quantile(0.95),
    cost.toFixed(2),
    ((100 * hits) / answers.length).toFixed(1),
    ((answers[0]?.bytes ?? 0) / 1000).toFixed(1),
  ]
  say(`${page.padEnd(16)}${columns(...cells)}${refused > 0 ? `  ${refused} refused` : ''}`)
}

type Answer = { status: number; headers: IncomingHttpHeaders; ms: number; bytes: number }

function read(url: string, agent: Agent, at: number): Promise<Answer> {
  const headers = { 'X-Test-Address': `192.0.2.${at + 1}`, 'Accept-Encoding': 'gzip' }
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => {
        bytes += part.length
      })
      response.on('end', () => {
        const { statusCode: status = 0, headers: given } = response
        resolve({ status, headers: given, ms: performance.now() - startedAt, bytes })
      })
    }).on('error', reject)
  })
}

/** CPU time of a process so far; Linux counts 100 ticks a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

function columns(...cells: string[]): string {
  return cells.map((cell) => cell.padStart(13)).join('')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
