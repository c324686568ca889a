import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../db/db.ts'
import { openDb } from '../../../db/open-db.ts'
import { boardSchema } from '../../../domain/board/index.ts'
import { freePort } from '../../e2e/start-copy.ts'
import { startProofboard } from '../../factories/proofboard-command.ts'
import { checkStored, type StorageCheck } from './check-stored.ts'
import { Feeder, freezePlans } from './feed-queue.ts'
import { killRepeatedly, RecoveryWatch } from './kill-repeatedly.ts'
import { type KillResult, printTable } from './print-table.ts'
import { type KillOptions, listTreeProcesses, parseKillOptions } from './processes.ts'
import {
  createTestEnvironment,
  type PageResponse,
  requestPage,
  SUITE_ID,
  System,
  type TestEnvironment,
} from './system.ts'

const DRAIN_MS = 300_000
const GUARD_MS = 10_000
const LOOK_MS = 250

/** `npm run test:kill`: exit code 0 if nothing was lost, stored twice or left behind. */
export async function main(argv: readonly string[]): Promise<void> {
  const orders = parseKillOptions(argv, Date.now() % 1_000_000)
  if (typeof orders === 'string') {
    process.stderr.write(`${orders}\n`)
    process.exitCode = 2
    return
  }
  const ground = createTestEnvironment()
  const db = openDb(ground.database)
  const system = new System(ground, await freePort())
  try {
    say(`kill -9, ${orders.times} times, seed ${orders.seed}, in ${ground.root}`)
    const problems = await test(orders, { ground, db, system })
    for (const problem of problems) say(`  PROBLEM  ${problem}`)
    if (problems.length === 0) rmSync(ground.root, { recursive: true, force: true })
    else {
      process.exitCode = 1
      const only = orders.only.length > 0 ? ` --only ${orders.only.join(',')}` : ''
      say(`again: npm run test:kill -- --times ${orders.times} --seed ${orders.seed}${only}`)
      say(`kept for inspection: ${ground.root}`)
    }
  } finally {
    await system.stop()
    await db.$disconnect()
  }
}

type Place = { ground: TestEnvironment; db: Db; system: System }

async function test(orders: KillOptions, { ground, db, system }: Place): Promise<string[]> {
  const feeder = new Feeder(db, await freezePlans(ground))
  await feeder.fill()
  const recovery = new RecoveryWatch(ground.root, system.url, db)
  const ending = new AbortController()
  system.start()
  await until(async () => (await db.episode.count()) > 0, DRAIN_MS, 'the first episode')
  const reading = fetchBoard(system.url, ending.signal)
  const watching = recovery.run(ending.signal)
  const startedAt = performance.now()
  const blows = await killRepeatedly(orders, { ground, db, feeder, recovery })
  const seconds = (performance.now() - startedAt) / 1000
  const unfinished = () => db.job.count({ where: { status: { in: ['queued', 'running'] } } })
  await until(async () => (await unfinished()) === 0, DRAIN_MS, 'an empty queue')
  ending.abort()
  const reads = await reading
  await watching
  const { code, drainMs } = await system.stop()
  await until(async () => (await checkLeftovers(ground, system, db)).length === 0, GUARD_MS)
  const found = await checkStored(db, ground.dataDir)
  say(summarize(blows, found, reads, feeder.fed))
  if (blows.length < orders.times)
    say(
      `SKIPPED, ${orders.times - blows.length} of ${orders.times} kills: the ${orders.within} s were over`,
    )
  say(
    `${(seconds / blows.length).toFixed(2)} s a kill; SIGTERM with an empty queue took ${drainMs.toFixed(0)} ms`,
  )
  const never = blows.filter(({ recoveredMs }) => recoveredMs === null)
  return [
    ...never.map(({ name }) => `${name} was killed and not made up for`),
    ...found.lost.map((what) => `lost: ${what}`),
    ...found.duplicated.map((what) => `duplicated: ${what}`),
    ...found.other,
    ...reads.torn.map((what) => `torn read: ${what}`),
    ...(code === 0 ? [] : [`SIGTERM ended with exit code ${code}`]),
    ...(await checkLeftovers(ground, system, db)),
    ...(await verifyLedger(ground)),
  ]
}

function summarize(
  blows: readonly KillResult[],
  found: StorageCheck,
  reads: Reads,
  jobs: number,
): string {
  const keys = (lines: readonly string[]) => new Set(lines.map((line) => line.split(' ')[0] ?? ''))
  return [
    printTable(blows, keys(found.lost), keys(found.duplicated)),
    `${jobs} jobs, ${found.slots} slots planned, ${found.scored} scored; ${found.attempts} attempts begun, ${found.voids} of them cut short and kept as void`,
    `lost ${found.lost.length}, duplicated ${found.duplicated.length}, torn reads ${reads.torn.length} of ${reads.whole} (${reads.away} without an answer)`,
  ].join('\n')
}

/** Waits for a condition; with a name, a timeout is reported. */
async function until(isTrue: () => Promise<boolean>, ms: number, name?: string): Promise<void> {
  const deadline = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > deadline) {
      if (name !== undefined) say(`  waited ${ms / 1000} s for ${name}, which did not happen`)
      return
    }
    await pause(LOOK_MS)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const BETWEEN_MS = 80
const ANSWER_MS = 20_000

/**
 * Results of reading; `away` = no response, or 503 because too many pages are being rendered; `torn` = responses that
 * are incomplete, invalid or older than an earlier one.
 */
export type Reads = { whole: number; away: number; torn: string[] }

/** Reads board, runs and page in rotation until `signal`. No response does not count as torn. */
export async function fetchBoard(url: string, signal: AbortSignal): Promise<Reads> {
  const reads: Reads = { whole: 0, away: 0, torn: [] }
  let max = 0
  const paths = [`/api/v1/leaderboard?suite=${SUITE_ID}`, '/api/v1/runs', `/?suite=${SUITE_ID}`]
  for (let turn = 0; !signal.aborted; turn++) {
    const path = paths[turn % paths.length] ?? '/'
    const response = await requestPage(`${url}${path}`, ANSWER_MS)
    if (response === null || isBusy(response)) reads.away += 1
    else {
      const found = judge(path, response, max)
      if (found.problem === null) reads.whole += 1
      else reads.torn.push(`${path}: ${found.problem}`)
      max = Math.max(max, found.attempts)
    }
    await pause(BETWEEN_MS, undefined, { signal }).catch(() => {})
  }
  return reads
}

/** The render queue is full. Any other 503 is a torn read. */
function isBusy({ status, text }: PageResponse): boolean {
  return status === 503 && text.startsWith('Too many pages are being rendered')
}

function judge(path: string, { status, text }: PageResponse, max: number) {
  const isBoard = path.startsWith('/api/v1/leaderboard')
  // Before the first episode is stored there is no board yet.
  if (status === 404 && isBoard && max === 0) return { problem: null, attempts: 0 }
  if (status !== 200) return { problem: `answer ${status} ${text.slice(0, 200)}`, attempts: 0 }
  if (!path.startsWith('/api/'))
    return { problem: text.includes('</html>') ? null : 'a page without its end', attempts: 0 }
  const json = parse(text)
  if (json === null) return { problem: 'half a JSON answer', attempts: 0 }
  if (!isBoard) return { problem: null, attempts: 0 }
  const board = boardSchema.safeParse(json)
  if (!board.success) return { problem: 'a board that is none', attempts: 0 }
  const attempts = board.data.rows.reduce((sum, { success }) => sum + success.attempts, 0)
  return { problem: attempts < max ? `${attempts} attempts after ${max}` : null, attempts }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns problems after everything was stopped: remaining processes, files or jobs, and inconsistent counts. */
export async function checkLeftovers(
  ground: TestEnvironment,
  system: System,
  db: Db,
): Promise<string[]> {
  const problems: string[] = []
  for (const { pid, kind, words } of listTreeProcesses(ground.root))
    problems.push(`process ${pid} (${kind}) is left: ${words.join(' ').slice(0, 200)}`)
  for (const name of readdirSync(ground.temporary)) problems.push(`temporary ${name} is left`)
  const files = readdirSync(ground.dataDir, { recursive: true, encoding: 'utf8' })
  const passing = /\.tmp$|runner\.pid$|outside\.json$/
  for (const name of files) if (passing.test(name)) problems.push(`file ${name} is left`)
  if (!(await system.isPortFree())) problems.push('the port is still taken')
  const waiting = await db.job.count({ where: { status: { in: ['queued', 'running'] } } })
  if (waiting > 0) problems.push(`${waiting} jobs are still in the queue`)
  return problems
}

/**
 * `proofboard server ledger verify`: checks the database file, the chain, the content behind it, and the boards against
 * a rebuild.
 */
export async function verifyLedger({ dataDir }: TestEnvironment): Promise<string[]> {
  const { code, stderr } = await startProofboard(dataDir, ['ledger', 'verify']).ended
  return code === 0 ? [] : [`ledger verify: ${stderr.trim().slice(0, 2000)}`]
}
