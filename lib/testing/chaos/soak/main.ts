import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { openDb } from '../../../db/open-db.ts'
import { startProofboard } from '../../factories/proofboard-command.ts'
import { findPrograms } from '../../run/postgres-programs.mjs'
import { formatTable } from '../kill/print-table.ts'
import { listTreeProcesses } from '../kill/processes.ts'
import { Cluster } from './cluster.ts'
import { feedJobs, freezeSoakPlan, measureThroughput, patiently } from './feed-jobs.ts'
import { judgeJobs, judgeUploads } from './judge-soak.ts'
import { Network } from './network.ts'
import { sendUploads, type UploadCount } from './send-uploads.ts'
import { type StoreHost, startStore } from './store-host.ts'
import { type Strikes, strike } from './strike.ts'

const SENDERS = 2
/** Share of the time for measuring one, two and three workers before faults start. */
const MEASURED_SHARE = 0.1
const DRAIN_MS = 600_000
/** Share of requests to the evidence store that fail during faults. */
const FAILING_SHARE = 0.05

type Options = { minutes: string; seed: string }
type Orders = { minutes: number; seed: number }

/**
 * `npm run soak`: exit code 0 if nothing was lost or stored twice, the ledger is complete and boards equal a rebuild.
 */
export async function main(options: Options): Promise<void> {
  const orders = parseOrders(options)
  if (typeof orders === 'string') return end(2, orders)
  const bin = findPrograms()
  const missing = Network.unavailable() ?? (bin ? null : 'PostgreSQL is not installed')
  if (missing !== null || bin === null) return end(0, `SKIPPED, the soak: ${missing}`)
  const root = mkdtempSync(join(tmpdir(), 'proofboard-soak-'))
  chmodSync(root, 0o711)
  say(`soak for ${orders.minutes} min, seed ${orders.seed}, in ${root}`)
  const problems = await soak(orders, root, bin)
  for (const problem of problems.slice(0, 50)) say(`  PROBLEM  ${problem}`)
  if (problems.length === 0) return rmSync(root, { recursive: true, force: true })
  say(
    `${problems.length} problems; again: npm run soak -- --minutes ${orders.minutes} --seed ${orders.seed}`,
  )
  say(`kept for inspection: ${root}`)
  process.exitCode = 1
}

async function soak(orders: Orders, root: string, bin: string): Promise<string[]> {
  const cluster = new Cluster(root)
  let store: StoreHost | null = null
  let db: Db | null = null
  try {
    await cluster.openNetwork()
    const databaseUrl = await cluster.startDatabase(bin)
    store = await startStore(cluster)
    const secrets = { PROOFBOARD_SECRETS_DIR: join(root, 'secrets') }
    cluster.settle({ ...store.settings, ...secrets, DATABASE_URL: databaseUrl })
    db = openDb(databaseUrl)
    return await play(orders, { cluster, store, db })
  } finally {
    await db?.$disconnect()
    await cluster.stop()
    await store?.stop()
  }
}

type Place = { cluster: Cluster; store: StoreHost; db: Db }

async function play({ minutes, seed }: Orders, place: Place): Promise<string[]> {
  const { cluster, store, db } = place
  const plan = await freezeSoakPlan(cluster.root)
  for (const host of cluster.webs) cluster.start(host)
  await cluster.untilServing()
  const token = await createToken(cluster)
  const ending = new AbortController()
  const { signal } = ending
  const feeding = feedJobs(db, plan, signal)
  const count: UploadCount = { accepted: [], episodes: 0, tries: 0, refused: [] }
  const throughput: number[] = []
  for (const host of cluster.workers) {
    cluster.start(host)
    await firstBeat(db, host)
    throughput.push(await measureThroughput(db, minutes * 60_000 * MEASURED_SHARE))
  }
  const sending = Array.from({ length: SENDERS }, (_, sender) =>
    sendUploads(sender, count, { urls: () => cluster.urls, token, signal, seed }),
  )
  store.fail(FAILING_SHARE)
  setTimeout(() => ending.abort(), minutes * 60_000 * (1 - 3 * MEASURED_SHARE))
  const strikes = await strike(cluster, { seed, signal, say })
  store.fail(0)
  await Promise.all([feeding, ...sending])
  const problems = await drain(db)
  const jobs = await judgeJobs(db)
  const uploads = await judgeUploads(db, count.accepted)
  const leftovers = await stopAndLook(cluster)
  const checked = await checkWhole(cluster)
  say(describe({ throughput, strikes, count, jobs: jobs.slots, scored: jobs.scored }))
  const lost = [...jobs.lost, ...uploads.lost]
  const duplicated = [...jobs.duplicated, ...uploads.duplicated]
  say(
    `lost ${lost.length}, duplicated ${duplicated.length}, ${checked.length === 0 ? 'ledger whole, boards equal to a rebuild' : 'see below'}`,
  )
  return [
    ...problems,
    ...lost.map((what) => `lost: ${what}`),
    ...duplicated.map((what) => `duplicated: ${what}`),
    ...jobs.other,
    ...count.refused.map((what) => `refused: ${what}`),
    ...leftovers,
    ...checked,
  ]
}

async function firstBeat(db: Db, host: string): Promise<void> {
  const since = new Date()
  const beats = () =>
    patiently(() => db.worker.count({ where: { hostId: host, heartbeatAt: { gt: since } } }))
  await until(async () => (await beats()) > 0, 60_000, `the first sign of ${host}`)
}

async function drain(db: Db): Promise<string[]> {
  const unfinished = () =>
    patiently(() => db.job.count({ where: { status: { in: ['queued', 'running'] } } }))
  return until(async () => (await unfinished()) === 0, DRAIN_MS, 'an empty queue')
}

/** Returns a problem if the condition is not true in time. */
async function until(isTrue: () => Promise<boolean>, ms: number, name: string): Promise<string[]> {
  const deadline = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > deadline)
      return [`waited ${ms / 1000} s for ${name}, which did not happen`]
    await pause(500)
  }
  return []
}

async function createToken(cluster: Cluster): Promise<string> {
  const { code, stdout, stderr } = await command(cluster, ['tokens', 'create', 'soak'])
  const token = /pb_[\w-]+/.exec(stdout)?.[0]
  if (code !== 0 || token === undefined) throw new Error(`no token: ${stderr}`)
  return token
}

const command = (cluster: Cluster, args: readonly string[]) =>
  startProofboard(join(cluster.root, 'console'), args, cluster.settings).ended

/** Checks that servers stop on request, and leave no process and no temporary file. */
async function stopAndLook(cluster: Cluster): Promise<string[]> {
  await cluster.stopServers()
  const left = listTreeProcesses(cluster.root)
    .filter(
      ({ words }) => !words.some((word) => word.includes('postgres') || word.includes('store')),
    )
    .map(({ pid, words }) => `process ${pid} is left: ${words.join(' ').slice(0, 200)}`)
  const files = [...cluster.webs, ...cluster.workers].flatMap((host) =>
    readdirSync(cluster.dataDirOf(host), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tmp$|runner\.pid$|outside\.json$/.test(name))
      .map((name) => `file ${host}/${name} is left`),
  )
  return [...left, ...files]
}

/** Runs the server's own checks: ledger, content and boards, and every object of the evidence store. */
async function checkWhole(cluster: Cluster): Promise<string[]> {
  const checks = [
    ['ledger', 'verify'],
    ['evidence', 'check'],
  ]
  const problems: string[] = []
  for (const check of checks) {
    const { code, stdout, stderr } = await command(cluster, check)
    const message = `${stdout}\n${stderr}`.trim().slice(-1500)
    if (code !== 0) problems.push(`${check.join(' ')} ended with ${code}: ${message}`)
  }
  return problems
}

type Found = {
  throughput: readonly number[]
  strikes: Strikes
  count: UploadCount
  jobs: number
  scored: number
}

function describe({ throughput, strikes, count, jobs, scored }: Found): string {
  const first = throughput[0] ?? 0
  const rows = throughput.map((value, place) => [
    `${place + 1}`,
    value.toFixed(1),
    first > 0 ? `${(value / first).toFixed(2)}×` : '–',
  ])
  return [
    formatTable(['workers', 'attempts a minute', 'to one'], rows),
    ...Object.entries(strikes).map(([kind, times]) => `${kind}: ${times} times`),
    `${count.accepted.length} uploads accepted with ${count.episodes} episodes, ${count.tries} requests without an answer and sent again`,
    `${jobs} slots planned by jobs, ${scored} scored`,
  ].join('\n')
}

/** Parses the options; returns a mistake as one sentence. */
function parseOrders({ minutes, seed }: Options): Orders | string {
  if (!/^[1-9]\d{0,3}$/.test(minutes)) return '--minutes takes a whole number from 1'
  if (!/^\d{1,15}$/.test(seed)) return '--seed takes a whole number'
  return { minutes: Number(minutes), seed: Number(seed) }
}

function end(code: number, sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = code
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
