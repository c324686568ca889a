import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, database } from '#lib/db/database.ts'
import { enqueueJob, findJob } from '#lib/db/job-store.ts'
import { listLedger } from '#lib/db/ledger-store.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { findBrokenLink } from '#lib/domain/ledger/index.ts'
import { settleEnv } from '#lib/env.ts'
import { findOtherHost } from '#lib/server/remote/machines.ts'
import { postgresDatabase } from '#lib/testing/factories/postgres.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import {
  freezeCommand,
  QUEUE_SUITE,
  type RealWorker,
  startRealWorker,
  waitUntilTrue,
} from '#lib/testing/factories/real-queue.ts'
import { sampleSuite } from '#lib/testing/factories/samples.ts'

const folders = ['a', 'b', 'signs'].map((name) =>
  mkdtempSync(join(tmpdir(), `proofboard-host-${name}-`)),
)
const [a = '', b = '', signs = ''] = folders
const workers: RealWorker[] = []
let database_: { url: string; drop: () => Promise<void> } | undefined

beforeAll(async () => {
  database_ = await postgresDatabase()
  process.env.DATABASE_URL = database_.url
  process.env.PROOFBOARD_DATA_DIR = a
  settleEnv(process.cwd())
  chmodSync(signs, 0o777) // the subject may run as another user
  for (const dataDir of [a, b]) temporarySuite(dataDir, QUEUE_SUITE, ['lru-cache'])
  await saveSuite(database(), sampleSuite(), new Date())
})
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGTERM')
  await Promise.all(workers.map(({ ended }) => ended))
  await closeDatabase()
  await database_?.drop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

/** Starts a worker of another machine: another name, and its own data folder. */
function startHost(name: string, dataDir: string): RealWorker {
  const worker = startRealWorker(dataDir, { PROOFBOARD_HOST_ID: name })
  workers.push(worker)
  return worker
}

/** Takes over at the end of the lease: 20 s after its last renewal. */
const MAX_MS = 30_000

it('a killed host loses its job to another one, which doubles nothing', {
  tags: 'postgresql',
  timeout: 400_000,
}, async () => {
  const db = database()
  // The first attempt ends at once, later ones when they are released.
  const command = `test ! -e ${signs}/first && touch ${signs}/first && exit 0; until test -e ${signs}/go; do sleep 0.2; done`
  const frozen = await freezeCommand(a, command, 3)
  const payload = { suiteId: QUEUE_SUITE, subject: 'test-agent', repetitions: 3 }
  const jobId = await enqueueJob(db, payload, new Date(), { frozen })
  const first = startHost('host-a', a)
  await waitUntilTrue(
    'the first episode is stored',
    async () => (await db.episode.count()) === 1,
    120_000,
  )
  startHost('host-b', b)
  const owner = async () => (await db.job.findUniqueOrThrow({ where: { id: jobId } })).leaseOwner
  const before = await owner()
  await waitUntilTrue('both work', async () => (await db.worker.count()) === 2, 60_000)
  expect(await owner()).toBe(before)
  const run = (await findJob(db, jobId))?.runId ?? ''
  expect(await findOtherHost(run)).toBe('host-a')

  const killed = performance.now()
  first.child.kill('SIGKILL')
  await waitUntilTrue('the other host has it', async () => ![before, null].includes(await owner()))
  expect(await findOtherHost(run)).toBe('host-b')
  const tookMs = Math.round(performance.now() - killed)
  process.stdout.write(`a job of a killed host was taken over after ${tookMs} ms\n`)
  expect(tookMs).toBeLessThan(MAX_MS)

  writeFileSync(join(signs, 'go'), '')
  await waitUntilTrue(
    'it is done',
    async () => (await findJob(db, jobId))?.status === 'done',
    120_000,
  )
  const rows = await db.episode.findMany({ where: { status: { not: 'void' } } })
  expect(new Set(rows.map(({ repetition }) => repetition)).size).toBe(3)
  expect(rows).toHaveLength(3)
  expect(findBrokenLink(await listLedger(db))).toBeNull()
  expect(await findOtherHost(run)).toBeNull()
  expect(readdirSync(join(b, 'runs'))).toEqual([run])
})
