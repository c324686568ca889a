import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDb } from '../../../db/open-db.ts'
import { postgresDatabase } from '../../factories/postgres.ts'
import { startStandIn } from '../../s3/stand-in.ts'
import { feedJobs, freezeSoakPlan, patiently } from './feed-jobs.ts'
import { judgeJobs, judgeUploads } from './judge-soak.ts'
import { sendUploads, type UploadCount } from './send-uploads.ts'
import { strikeContainers } from './strike-containers.ts'

const DRAIN_MS = 900_000
const UPLOAD_MS = 60_000
const SENDERS = 2
/** Share of requests to the evidence store that fail. */
const FAILING_SHARE = 0.05

type Soak = {
  minutes: number
  seed: number
  /** Starts the services of a board and returns the ids of their containers, web servers first. */
  start: (
    settings: Readonly<Record<string, string>>,
    ports: readonly number[],
    mounts: readonly string[],
  ) => string[]
}

/**
 * Runs a board of containers under load, kills them at random and counts what was lost or stored twice. Returns the
 * problems, a sentence each.
 */
export async function soakContainers({ minutes, seed, start }: Soak): Promise<string[]> {
  const database = await postgresDatabase({ isEmpty: true })
  const store = await startStandIn()
  const root = mkdtempSync(join(tmpdir(), 'proofboard-soak-'))
  // The server's user reads the agent and the suite.
  chmodSync(root, 0o755)
  const plan = await freezeSoakPlan(root)
  giveToServer(join(root, 'planner', 'suites'))
  const ports = [await freePort(), await freePort()]
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const agent = join(root, 'agent.sh')
  const suites = `${join(root, 'planner', 'suites')}:/data/suites`
  const settings = {
    ...store.settings('soak', 'soak'),
    DATABASE_URL: database.url,
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_CHROMIUM: 'none',
    PROOFBOARD_WRITES_PER_MINUTE: '100000',
  }
  const ids = start(settings, ports, [`${agent}:${agent}:ro`, suites])
  const db = openDb(database.url)
  const ending = new AbortController()
  const { signal } = ending
  try {
    const areHealthy = async () => (await Promise.all(urls.map(isHealthy))).every(Boolean)
    if (!(await until(areHealthy, 600_000)))
      return ['the web servers did not start', ...ids.map(readLog)]
    const token = /pb_[\w-]+/.exec(await inside(ids[0], 'tokens', 'create', 'soak'))?.[0] ?? ''
    const count: UploadCount = { accepted: [], episodes: 0, tries: 0, refused: [] }
    const feeding = feedJobs(db, plan, signal)
    const sending = Array.from({ length: SENDERS }, (_, sender) =>
      sendUploads(sender, count, { urls: () => urls, token, signal, seed }),
    )
    store.fail({ share: FAILING_SHARE })
    setTimeout(() => ending.abort(), minutes * 60_000)
    const kills = await strikeContainers(ids, { seed, signal })
    store.fail({})
    await Promise.all([feeding, ...sending])
    const unfinished = () =>
      patiently(() => db.job.count({ where: { status: { in: ['queued', 'running'] } } }))
    const isDrained = await until(async () => (await unfinished()) === 0, DRAIN_MS)
    const jobs = await judgeJobs(db)
    const uploads = await judgeUploads(db, count.accepted)
    process.stdout.write(
      `${minutes} min: ${kills} kills; ${jobs.scored} of ${jobs.slots} slots scored; ${count.accepted.length} uploads with ${count.episodes} episodes; lost ${jobs.lost.length + uploads.lost.length}, stored twice ${jobs.duplicated.length + uploads.duplicated.length}\n`,
    )
    // Each worker uploads what it has sealed, a round at a time.
    const isUploaded = async () => (await failureOf(ids[0], 'evidence check')).length === 0
    await until(isUploaded, UPLOAD_MS)
    const checks = [
      ...(await failureOf(ids[0], 'ledger verify')),
      ...(await failureOf(ids[0], 'evidence check')),
    ]
    return [
      ...(isDrained ? [] : ['the queue was not empty in time']),
      ...(kills > 0 && jobs.scored > 0 && count.episodes > 0
        ? []
        : ['nothing was put to the test']),
      ...[...jobs.lost, ...uploads.lost].map((what) => `lost: ${what}`),
      ...[...jobs.duplicated, ...uploads.duplicated].map((what) => `stored twice: ${what}`),
      ...[...jobs.other, ...count.refused],
      ...checks,
    ]
  } finally {
    ending.abort()
    await db.$disconnect()
    execFileSync('docker', ['rm', '--force', '--volumes', ...ids], { stdio: 'ignore' })
    await store.close()
    await database.drop()
    rmSync(root, { recursive: true, force: true })
  }
}

/** User `node` of the official images, as which the server runs; it refuses a data folder with files of others. */
const SERVER_USER = 1000

function giveToServer(folder: string): void {
  chownSync(folder, SERVER_USER, SERVER_USER)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, path), SERVER_USER, SERVER_USER)
}

/**
 * Runs a command of the server in its container and returns its output. Throws if it fails. Not synchronous: the
 * evidence store that the command asks is part of this process.
 */
async function inside(id = '', ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', [
    'exec',
    id,
    'proofboard',
    'server',
    ...words,
  ])
  return stdout
}

function readLog(id: string): string {
  return execFileSync('docker', ['logs', '--tail', '20', id], { encoding: 'utf8' })
}

async function failureOf(id: string | undefined, check: string): Promise<string[]> {
  try {
    await inside(id, ...check.split(' '))
    return []
  } catch (error) {
    return [`${check}: ${(error as Error).message.slice(-1500)}`]
  }
}

async function isHealthy(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(5000)
  const response = await fetch(`${url}/api/v1/health`, { signal }).catch(() => null)
  return response?.ok === true
}

/** Returns false if the condition is not true in time. */
async function until(isTrue: () => Promise<boolean>, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await pause(500))
    if (await isTrue()) return true
  return false
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
