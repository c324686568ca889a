import { z } from 'zod'
import type { Db, DbOrTx } from '../db/db.ts'
import { countJobs, enqueueJob, findJob, type JobPayload } from '../db/job-store.ts'
import { countReceivedRuns, isOnEarlierVersionOnly } from '../db/run-store.ts'
import { findSuite } from '../db/suite-store.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Digest, digestBytes } from '../domain/digest/index.ts'
import { createLog } from '../log.ts'
import { queryRunner } from '../processes/spawn-runner.ts'

const log = createLog('worker')

const CONTROLS = { reference: 1, nop: 1, wrong: 1, cheater: 1, flaky: 3 }
const FIRST_JOBS: readonly JobPayload[] = Object.entries(CONTROLS).map(
  ([subject, repetitions]) => ({ suiteId: 'typescript', subject, repetitions }),
)

/** Two libraries that need only Chromium, with more than the ten episodes that an aggregate needs. */
const FIRST_LIBRARIES: readonly JobPayload[] = ['playwright', 'puppeteer'].map((subject) => ({
  suiteId: 'browser',
  subject,
  repetitions: 2,
  concurrency: 2,
}))

/**
 * Queues the controls on an unused board and, where Chromium is installed, two browser libraries, which can be ranked
 * without a key. After an upgrade that changed a suite, queues the subjects that this server ran on an earlier version
 * only. Each job is queued once, with any number of workers.
 */
export async function enqueueFirstJobs(db: Db, signal: AbortSignal): Promise<void> {
  const all = [...FIRST_JOBS, ...FIRST_LIBRARIES]
  if ((await listDue(db, all)).length === 0) return
  const runnable = [...FIRST_JOBS, ...(await listRunnable(signal))]
  const queued = await inTransaction(db, async (tx) => {
    const due = await listDue(tx, runnable)
    const now = new Date()
    for (const { payload, jobId } of due) await enqueueJob(tx, payload, now, { jobId })
    return due.length
  })
  if (queued > 0) log.info('first runs queued', { jobs: queued })
}

/**
 * Returns whether nothing was queued or received here. Runs of the command line before the first start do not count.
 */
export async function isUnusedBoard(db: DbOrTx): Promise<boolean> {
  return (await countJobs(db)) === 0 && (await countReceivedRuns(db)) === 0
}

type DueJob = { payload: JobPayload; jobId: string }

async function listDue(db: DbOrTx, jobs: readonly JobPayload[]): Promise<DueJob[]> {
  const isUnused = await isUnusedBoard(db)
  const due: DueJob[] = []
  for (const payload of jobs) {
    const { suiteId, subject } = payload
    const suite = await findSuite(db, suiteId)
    if (!suite) continue
    const jobId = firstJobId(suite.digest, subject)
    const run = { suiteId, digest: suite.digest, subject }
    if ((isUnused || (await isOnEarlierVersionOnly(db, run))) && !(await findJob(db, jobId)))
      due.push({ payload, jobId })
  }
  return due
}

/** Returns an id that is the same for every worker and every start, so that a cancelled job is not queued again. */
function firstJobId(digest: Digest, subject: string): string {
  return `job_${digestBytes(`first ${digest} ${subject}`).replace('sha256:', '').slice(0, 32)}`
}

const librariesSchema = z.object({
  browser: z.string().nullable(),
  problem: z.string().nullable(),
  libraries: z.array(z.object({ name: z.string(), missing: z.string().nullable() })),
})

/** Lists the first libraries that this machine can run. */
async function listRunnable(signal: AbortSignal): Promise<JobPayload[]> {
  const { output } = await queryRunner(['libraries', '--json'], signal)
  const found = librariesSchema.safeParse(output)
  if (!found.success || found.data.browser === null) {
    log.info('no browser run', { reason: found.data?.problem ?? 'the runner does not report it' })
    return []
  }
  const there = found.data.libraries.filter(({ missing }) => missing === null)
  return FIRST_LIBRARIES.filter(({ subject }) => there.some(({ name }) => name === subject))
}
