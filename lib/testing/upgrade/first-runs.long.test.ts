// @module-tag postgresql
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { waitUntilTrue } from '#lib/testing/factories/real-queue.ts'
import { lacking } from '#lib/testing/needs.ts'
import {
  findObstacle,
  keepTasks,
  layOut,
  layOutThis,
  runVersion,
  startWorkerOf,
} from './old-version.ts'

// Workers of two versions on a PostgreSQL server, each with its own data folder and small suites.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 300_000 })

const OLD_COMMIT = 'cd916794'
const CONTROLS = ['cheater', 'flaky', 'nop', 'reference', 'wrong']
const root = mkdtempSync(join(tmpdir(), 'proofboard-first-runs-'))
const present = join(root, 'present')
const workers: ReturnType<typeof startWorkerOf>[] = []

beforeAll(() => {
  layOutThis(present)
  keepTasks(present, ['lru-cache', 'rate-limiter'])
})
afterAll(async () => {
  await stopWorkers()
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
})

function startOn(machine: string, version: string, url: string): Promise<void> {
  const worker = startWorkerOf(version, {
    DATABASE_URL: url,
    PROOFBOARD_DATA_DIR: join(root, machine),
    PROOFBOARD_HOST_ID: machine,
    PROOFBOARD_FIRST_RUNS: '1',
  })
  workers.push(worker)
  return worker.started
}

function migrate(version: string, url: string): void {
  const env = { DATABASE_URL: url, PROOFBOARD_DATA_DIR: join(root, 'three') }
  runVersion(version, ['runner/cli/proofboard.mjs', 'database', 'migrate'], env)
}

async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map(({ stop }) => stop()))
}

/** Subjects that ran on each version of the suite, the first version first, once this many jobs are done. */
async function readRuns(url: string, jobs: number): Promise<string[][]> {
  const db = openDb(url)
  try {
    const done = { where: { status: 'done' } }
    const isDone = async () => (await db.job.count(done)) >= jobs
    await waitUntilTrue(`${jobs} jobs are done`, isDone, 500_000)
    expect(await db.job.count()).toBe(jobs)
    // Columns that both versions have.
    const plan = { select: { suiteDigest: true, subject: { select: { name: true } } } }
    const runs = await db.run.findMany({ select: { plan }, orderBy: { createdAt: 'asc' } })
    const digests = [...new Set(runs.map((run) => run.plan.suiteDigest))]
    return digests.map((digest) =>
      runs
        .filter((run) => run.plan.suiteDigest === digest)
        .map((run) => run.plan.subject.name)
        .sort(),
    )
  } finally {
    await db.$disconnect()
  }
}

it('two machines that start together queue the first runs once', async () => {
  const { url, drop } = await postgresDatabase()
  try {
    await Promise.all(['one', 'two'].map((machine) => startOn(machine, present, url)))
    expect(await readRuns(url, CONTROLS.length)).toEqual([CONTROLS])
  } finally {
    await stopWorkers()
    await drop()
  }
})

it(
  'an upgrade that changes the suite queues the controls of its new version once',
  lacking(findObstacle(OLD_COMMIT)),
  async () => {
    const old = join(root, 'old')
    layOut(OLD_COMMIT, old)
    keepTasks(old, ['lru-cache'])
    const { url, drop } = await postgresDatabase({ isEmpty: true })
    try {
      runVersion(
        old,
        ['--eval', "import('./lib/setup/build.mjs').then((one) => one.ensureGenerated())"],
        {},
      )
      await startOn('three', old, url)
      expect(await readRuns(url, CONTROLS.length)).toEqual([CONTROLS])
      await stopWorkers()
      migrate(present, url)
      await Promise.all(['three', 'four'].map((machine) => startOn(machine, present, url)))
      expect(await readRuns(url, 2 * CONTROLS.length)).toEqual([CONTROLS, CONTROLS])
    } finally {
      await stopWorkers()
      await drop()
    }
  },
)
