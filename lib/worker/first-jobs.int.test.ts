import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '#lib/db/open-db.ts'
import { isOnEarlierVersionOnly, saveRun } from '#lib/db/run-store.ts'
import { saveSuite } from '#lib/db/suite-store.ts'
import { samplePlan, sampleSuite } from '#lib/testing/factories/samples.ts'
import {
  type TemporaryDatabase,
  temporaryDatabase,
} from '#lib/testing/factories/temporary-database.ts'
import { enqueueJob } from '../db/job-store.ts'
import { enqueueFirstJobs } from './first-jobs.ts'

let temporary: TemporaryDatabase
beforeEach(async () => {
  temporary = await temporaryDatabase({ waitMs: 10_000 })
})
afterEach(() => temporary.close())

const { signal } = new AbortController()
const typescript = (version: string) => ({ ...sampleSuite(version), suiteId: 'typescript' })

it('queues the first runs once with two workers', async () => {
  const { db, place } = temporary
  await saveSuite(db, typescript('1.0.0'), new Date(0))
  const other = openDb(place, { waitMs: 10_000 })
  try {
    await Promise.all([db, other].map((one) => enqueueFirstJobs(one, signal)))
  } finally {
    await other.$disconnect()
  }
  expect(await db.job.count()).toBe(5)
})

it('knows what was run here on an earlier version of a suite only', async () => {
  const { db } = temporary
  const [one, two] = [sampleSuite('1.0.0'), sampleSuite('2.0.0')]
  await saveSuite(db, one, new Date(0))
  const plan = samplePlan()
  const subject = plan.subject.name
  const job = { suiteId: plan.suiteId, subject, repetitions: 1 }
  const jobId = await enqueueJob(db, job, new Date(1))
  await saveRun(db, { runId: 'run_first0001', plan, provenance: 'local', jobId }, new Date(2))
  await saveSuite(db, two, new Date(3))
  const isEarlier = (digest: typeof one.digest) =>
    isOnEarlierVersionOnly(db, { suiteId: plan.suiteId, digest, subject })
  expect(await isEarlier(two.digest)).toBe(true)
  expect(await isEarlier(plan.suiteDigest)).toBe(false)
})
