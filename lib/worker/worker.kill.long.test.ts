import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { enqueueJob, findJob } from '#lib/db/job-store.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import { migrate } from '#lib/db/migrate.ts'
import { openDb } from '#lib/db/open-db.ts'
import { rederiveEpisode } from '#lib/db/stored-episode.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { digestRun, findBrokenLink } from '#lib/domain/ledger/index.ts'
import { type Episode, isScored } from '#lib/domain/record/index.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { sampleSuite } from '#lib/testing/factories/samples.ts'
import { MIGRATIONS_DIR } from '#lib/testing/factories/temporary-database.ts'
import type { Db } from '../db/db.ts'
import { unpackEnvelope } from '../db/stored-episode.ts'

/** A few kills; `npm run test:kill` does hundreds. */
const KILLS = 5
const TASKS = ['lru-cache', 'rate-limiter']
const REPETITIONS = 9

const dataDir = mkdtempSync(join(tmpdir(), 'proofboard-kill-'))
const running = new Set<ChildProcess>()

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

function startWorker(): ChildProcess {
  const env = {
    ...process.env,
    PROOFBOARD_DATA_DIR: dataDir,
    PROOFBOARD_FIRST_RUNS: '0',
    PROOFBOARD_LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, ['lib/worker/worker.mjs'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

/** Returns the runner's process id from the folder of the only run. */
function runnerPid(): number | null {
  const runs = join(dataDir, 'runs')
  const [runId] = existsSync(runs) ? readdirSync(runs) : []
  const file = runId ? join(runs, runId, 'runner.pid') : ''
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  return pid > 0 && existsSync(`/proc/${pid}`) ? pid : null
}

function sealedOnDisk(): Episode[] {
  const runs = join(dataDir, 'runs')
  return readdirSync(runs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/episode.json'))
    .map((path) => JSON.parse(readFileSync(join(runs, path), 'utf8')))
}

async function until(condition: () => Promise<boolean>, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  while (performance.now() < deadline) {
    if (await condition()) return true
    await pause(25)
  }
  return false
}

/** Kills the worker with SIGKILL at a random moment: while it boots, claims, saves, or waits for its runner. */
async function killWorker(worker: ChildProcess): Promise<void> {
  await pause(Math.random() * 2500)
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await gone
}

/** Kills a runner with SIGKILL once it has sealed something; a job without progress would fail after three attempts. */
async function killRunner(db: Db, lastPid: number | null): Promise<number | null> {
  const isNew = async () => ![null, lastPid].includes(runnerPid())
  if (!(await until(isNew, 20_000))) return null
  const before = await db.episode.count()
  if (!(await until(async () => (await db.episode.count()) > before, 20_000))) return null
  await pause(Math.random() * 300)
  const pid = runnerPid()
  if (pid) process.kill(pid, 'SIGKILL')
  return pid
}

it(`kill -9 of worker or runner ${KILLS} times at any moment: no episode lost, none twice`, async () => {
  temporarySuite(dataDir, 'kill', TASKS)
  const file = join(dataDir, 'proofboard.db')
  migrate(file, MIGRATIONS_DIR)
  const db = openDb(file)
  await saveSuite(db, sampleSuite(), new Date()) // not the first boot: a worker starts its job at once
  const payload = { suiteId: 'kill', subject: 'reference', repetitions: REPETITIONS }
  const jobId = await enqueueJob(db, payload, new Date())
  const killed = { worker: 0, runner: 0 }
  let worker = startWorker()
  let lastPid: number | null = null
  while (killed.worker + killed.runner < KILLS) {
    const { status, reason } = (await findJob(db, jobId)) ?? {}
    const underWay = { status: expect.stringMatching(/queued|running/) }
    expect({ status, reason }, 'ended too early').toMatchObject(underWay)
    const pid: number | null = Math.random() < 0.5 ? await killRunner(db, lastPid) : null
    if (pid) {
      lastPid = pid
      killed.runner++
    } else {
      await killWorker(worker)
      killed.worker++
      worker = startWorker()
    }
  }
  const ended = await until(
    async () => /done|failed/.test((await findJob(db, jobId))?.status ?? ''),
    120_000,
  )
  const stopped = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGTERM')
  await stopped

  const sealed = sealedOnDisk()
  const rows = await db.episode.findMany()
  const kept = new Map(rows.map((row) => [row.episodeId, row]))
  const lost = sealed.filter(({ episodeId, seal }) => kept.get(episodeId)?.seal !== seal)
  const scored = rows.filter(({ status }) => isScored(status as Episode['outcome']['status']))
  const slots = new Set(scored.map(({ taskId, repetition }) => `${taskId}/${repetition}`))
  const duplicated = scored.length - slots.size
  const ledger = await listLedger(db)
  process.stdout.write(
    `killed worker ${killed.worker}, runner ${killed.runner}; planned ${TASKS.length * REPETITIONS}, ` +
      `sealed ${sealed.length}, kept ${rows.length}; lost ${lost.length}, duplicated ${duplicated}\n`,
  )
  expect(ended && (await findJob(db, jobId))).toMatchObject({ status: 'done', reason: null })
  expect({ lost: lost.length, duplicated, kept: rows.length }).toEqual({
    lost: 0,
    duplicated: 0,
    kept: sealed.length,
  })
  const settled = new Set(rows.map(({ taskId, repetition }) => `${taskId}/${repetition}`))
  expect(settled.size).toBe(TASKS.length * REPETITIONS)
  for (const row of rows)
    expect(row).toMatchObject(rederiveEpisode(JSON.parse(unpackEnvelope(row.envelope))))
  const ofTheRun = ledger.filter(({ action }) => action.kind !== 'task-version')
  expect(ofTheRun.map(({ action }) => action.kind)).toEqual(['register', 'include', 'seal-run'])
  expect(ofTheRun.at(-1)?.action).toMatchObject({ episodes: rows.length, digest: digestRun(rows) })
  const versions = ledger.flatMap(({ action }) =>
    action.kind === 'task-version' ? `${action.target} ${action.to}` : [],
  )
  expect(new Set(versions).size).toBe(versions.length)
  expect(findBrokenLink(ledger)).toBeNull()
  expect(runnerPid()).toBeNull()
  expect(await db.boardSnapshot.count({ where: { suiteId: 'kill' } })).toBe(1)
  await db.$disconnect()
}, 300_000)
