import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { claimJob } from '#lib/db/job-lease.ts'
import { enqueueJob } from '#lib/db/job-store.ts'
import { readLaunchFields } from '#lib/domain/runs/index.ts'
import { temporarySuite } from '#lib/testing/factories/proofboard-command.ts'
import { syncSuite } from '#lib/worker/sync-suites.ts'
import { getLaunch } from './get-launch.ts'

vi.mock('#lib/processes/spawn-runner.ts', async () =>
  (await import('#lib/testing/factories/runner-here.ts')).runnerHere(),
)

const dir = mkdtempSync(join(tmpdir(), 'proofboard-forecast-test-'))
beforeAll(async () => {
  process.env.PROOFBOARD_DATA_DIR = dir
  temporarySuite(dir, 'small', ['lru-cache'])
  await migrateDatabase()
  await syncSuite(database(), 'small', new AbortController().signal)
})
afterAll(async () => {
  await closeDatabase()
  rmSync(dir, { recursive: true, force: true })
})

it('forecasts a run on other machines without the slots of this one', async () => {
  const slurm = `slurm: { folder: ${dir}, shards: 3, parallelism: 2 }`
  writeFileSync(join(dir, 'executors.yaml'), `schemaVersion: 1\n${slurm}\n`)
  const busy = { suiteId: 'small', subject: 'nop', repetitions: 1, concurrency: 64 }
  await enqueueJob(database(), busy, new Date())
  const lease = { owner: 'w', leaseMs: 60_000, newRunId: 'run_busy0001' }
  expect(await claimJob(database(), lease)).not.toBeNull()
  const request = { suite: 'small', repetitions: '4', concurrency: '2' }
  const here = await getLaunch(readLaunchFields(request), new Date())
  expect(here.wait?.reason?.kind).toBe('machine')
  const there = await getLaunch(readLaunchFields({ ...request, on: 'slurm' }), new Date())
  expect(there.problems).toEqual([])
  expect(there.wait).toMatchObject({ slots: 4, reason: null, ms: 0 })
})
