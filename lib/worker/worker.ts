import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { hostId } from '#lib/setup/host.mjs'
import { NEEDS_PERSON } from '#lib/setup/serve/exit-codes.mjs'
import { closeDataFolder } from '../close-data-folder.ts'
import { cachingBuilder } from '../db/cached-boards.ts'
import { closeDatabase, type Db, database, describePlace, readClock } from '../db/database.ts'
import { removeWorker, saveHeartbeat } from '../db/job-lease.ts'
import { countJobs, enqueueJob, type JobPayload } from '../db/job-store.ts'
import { countReceivedRuns } from '../db/run-store.ts'
import { includeStoredRuns } from '../db/seal-run.ts'
import { findSuite, listSuites } from '../db/suite-store.ts'
import { watchSchema } from '../db/watch-schema.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { queryRunner } from '../processes/spawn-runner.ts'
import { startDatabase } from '../server/care/start-database.ts'
import { evidenceStore } from '../server/evidence/configured-store.ts'
import { serveBoardThread, startBoardThread } from './board-thread.ts'
import { followEvaluations } from './follow-evaluations.ts'
import { followSandbox } from './follow-sandbox.ts'
import { followLocalRuns } from './local-runs.ts'
import { saveAllRuns } from './run-job.ts'
import { syncSuites } from './sync-suites.ts'
import { followSealed } from './upload-evidence.ts'
import { followLedger, followRegrades, followRetention, followUploads } from './watchers.ts'
import { sealEndedRuns, workQueue } from './work-queue.ts'
import { BoardRefresher, type BuildBoards } from './worker-context.ts'

const log = createLog('worker')

// This bundle is also what the thread for boards runs.
serveBoardThread()

/** The worker's life: migrate, catch up with the disk, work the queue until it is stopped. */
export async function main(): Promise<void> {
  try {
    const signal = workerStopSignal()
    closeDataFolder(env().dataDir)
    evidenceStore() // a wrong setting ends the start, not the first upload
    const upgrade = await startDatabase()
    if (upgrade) log.info('database upgraded', upgrade)
    watchSchema((message) => {
      log.error(message)
      process.exit(NEEDS_PERSON)
    })
    const thread = startBoardThread(new URL(import.meta.url))
    const workerId = `worker_${randomUUID()}`
    await startWorker({ db: database(), workerId, signal, build: thread.build })
    await thread.stop()
    await closeDatabase()
    process.exit(0)
  } catch (error) {
    if (error instanceof AppError) log.error(error.message, { code: error.code })
    else log.error('the worker failed, please report this bug', { error })
    process.exit(error instanceof AppError && error.code === 'database-newer' ? NEEDS_PERSON : 1)
  }
}

/** Exit code of a process that was signalled twice. */
const AT_ONCE = 130

/**
 * Fires when this process is asked to end: SIGTERM, SIGINT, a closed terminal, or the end of a supervisor that holds our
 * stdin. After a second signal the process ends at once, and its jobs are recovered.
 */
export function workerStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  let asked = 0
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      asked += 1
      if (asked > 1) process.exit(AT_ONCE)
      stop()
    })
  }
  if (env().supervised)
    process.stdin.once('end', stop).once('close', stop).once('error', stop).resume()
  return controller.signal
}

const BEAT_MS = 2000
/** Of the time until a supervisor ends a worker that stops; a board of a million episodes may take longer. */
const LAST_BOARDS_MS = 8000

export type WorkerOptions = {
  db: Db
  workerId: string
  signal: AbortSignal
  /** Where boards are computed; absent = on this thread. */
  build?: BuildBoards
}

/** Catches up with what happened on disk while no worker ran, then works the queue until `signal`. */
export async function startWorker({ db, workerId, signal, build }: WorkerOptions): Promise<void> {
  const boards = new BoardRefresher(db, build ?? cachingBuilder(db))
  const context = { db, workerId, signal, boards }
  const self = { id: workerId, pid: process.pid, hostId: hostId() }
  const writeHeartbeat = async () => saveHeartbeat(db, self, await readClock(db))
  await writeHeartbeat()
  let beat = Promise.resolve()
  const heart = setInterval(() => {
    beat = writeHeartbeat().catch((error: unknown) => log.warn('no heartbeat', { error }))
  }, BEAT_MS)
  try {
    log.info('worker started', { ...self, database: describePlace(env().database) })
    const isFirstBoot =
      (await listSuites(db)).length === 0 || (env().firstRuns && (await isUnused(db)))
    await saveAllRuns(db)
    const included = await includeStoredRuns(db, new Date())
    if (included > 0) log.info('stored runs included in the ledger', { included })
    await sealEndedRuns(db)
    // Reading suites takes seconds, and a job that was interrupted should not wait for what is mostly known already.
    const syncing = syncSuites(db, signal)
      .then(() => (signal.aborted ? undefined : boards.requestAll()))
      .catch((error: unknown) => log.error('the suites were not synced', { error }))
    if (isFirstBoot) {
      await syncing
      await boards.settle()
    }
    if (env().firstRuns) await enqueueFirstJobs(db, signal)
    const followers = [
      followLedger,
      followRegrades,
      followRetention,
      followUploads,
      followEvaluations,
      followLocalRuns,
      followSealed,
      followSandbox,
    ]
    await Promise.all([workQueue(context), ...followers.map((go) => go(context)), syncing])
  } finally {
    clearInterval(heart)
    await boards.close(LAST_BOARDS_MS)
    await beat // written later, it would show a worker that is gone
    await removeWorker(db, workerId).catch(() => {})
    log.info('worker stopped', { workerId })
  }
}

const SUITE_ID = 'typescript'
const FIRST_JOBS: readonly JobPayload[] = [
  { suiteId: SUITE_ID, subject: 'reference', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'nop', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'wrong', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'cheater', repetitions: 1 },
  { suiteId: SUITE_ID, subject: 'flaky', repetitions: 3 },
]

/** Two libraries that need nothing but a Chromium, with more than the ten episodes that an aggregate needs. */
const BROWSER_SUITE_ID = 'browser'
const FIRST_LIBRARIES = ['playwright', 'puppeteer']
const FIRST_REPETITIONS = 2

const librariesSchema = z.object({
  browser: z.string().nullable(),
  problem: z.string().nullable(),
  libraries: z.array(z.object({ name: z.string(), missing: z.string().nullable() })),
})

/**
 * On an empty database, queues the controls, and where there is a Chromium two browser libraries, whose rows are true
 * claims: the board fills during the first visit and proves that the suites work.
 */
export async function enqueueFirstJobs(db: Db, signal: AbortSignal): Promise<void> {
  if (!(await isUnused(db)) || !(await findSuite(db, SUITE_ID))) return
  const jobs = [...FIRST_JOBS, ...(await browserJobs(db, signal))]
  const now = Date.now()
  // One millisecond apart, so that they are worked in this order.
  for (const [place, job] of jobs.entries()) await enqueueJob(db, job, new Date(now + place))
  log.info('first runs queued', { jobs: jobs.length })
}

/** Nothing was queued or received here; a person may have run something by hand before the first start. */
async function isUnused(db: Db): Promise<boolean> {
  return (await countJobs(db)) === 0 && (await countReceivedRuns(db)) === 0
}

async function browserJobs(db: Db, signal: AbortSignal): Promise<JobPayload[]> {
  if (!(await findSuite(db, BROWSER_SUITE_ID))) return []
  const { answer } = await queryRunner(['libraries', '--json'], signal)
  const found = librariesSchema.safeParse(answer)
  if (!found.success || found.data.browser === null) {
    log.info('no browser run', { reason: found.data?.problem ?? 'the runner does not report it' })
    return []
  }
  const there = found.data.libraries.filter(({ missing }) => missing === null)
  const names = FIRST_LIBRARIES.filter((name) => there.some((library) => library.name === name))
  return names.map((subject) => ({
    suiteId: BROWSER_SUITE_ID,
    subject,
    repetitions: FIRST_REPETITIONS,
    concurrency: 2,
  }))
}
