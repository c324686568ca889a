import { randomUUID } from 'node:crypto'
import { hostId } from '#lib/setup/host.mjs'
import { NEEDS_PERSON } from '#lib/setup/serve/exit-codes.mjs'
import { closeDataFolder } from '../close-data-folder.ts'
import { cachingBuilder } from '../db/cached-boards.ts'
import { closeDatabase, type Db, database, describePlace, readClock } from '../db/database.ts'
import { removeWorker, saveHeartbeat } from '../db/job-lease.ts'
import { includeStoredRuns } from '../db/seal-run.ts'
import { listSuites } from '../db/suite-store.ts'
import { watchSchema } from '../db/watch-schema.ts'
import { env } from '../env.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { needsPerson, startDatabase } from '../server/care/start-database.ts'
import { evidenceStore } from '../server/evidence/configured-store.ts'
import { serveBoardThread, startBoardThread } from './board-thread.ts'
import { enqueueFirstJobs, isUnusedBoard } from './first-jobs.ts'
import { followEvaluations } from './follow-evaluations.ts'
import { followSandbox } from './follow-sandbox.ts'
import { followLocalRuns } from './local-runs.ts'
import { followChanges } from './notifications.ts'
import { Notifier } from './notifier.ts'
import { saveAllRuns } from './run-job.ts'
import { syncSuites } from './sync-suites.ts'
import { followSealed } from './upload-evidence.ts'
import { followLedger, followRegrades, followRetention, followUploads } from './watchers.ts'
import { sealEndedRuns, workQueue } from './work-queue.ts'
import { BoardRefresher, type BuildBoards, type WorkerContext } from './worker-context.ts'

const log = createLog('worker')

// The thread for boards runs this bundle too.
serveBoardThread()

/** Runs the worker: migrates, catches up with the disk, then works the queue until it is stopped. */
export async function main(): Promise<void> {
  let isPrepared = false
  try {
    const signal = workerStopSignal()
    closeDataFolder(env().dataDir)
    evidenceStore() // an invalid setting fails at the start, not at the first upload
    const upgrade = await startDatabase()
    if (upgrade) log.info('database upgraded', upgrade)
    watchSchema((message) => {
      log.error(message)
      process.exit(NEEDS_PERSON)
    })
    isPrepared = true
    const thread = startBoardThread(new URL(import.meta.url))
    const workerId = `worker_${randomUUID()}`
    await startWorker({ db: database(), workerId, signal, build: thread.build })
    await thread.stop()
    await closeDatabase()
    process.exit(0)
  } catch (error) {
    if (error instanceof AppError) log.error(error.message, { code: error.code })
    else log.error('the worker failed, please report this bug', { error })
    process.exit(!isPrepared && needsPerson(error) ? NEEDS_PERSON : 1)
  }
}

/** Exit code of a process that was signalled twice. */
const AT_ONCE = 130

/**
 * Returns a signal that fires when this process is asked to end: SIGTERM, SIGINT, a closed terminal, or the end of a
 * supervisor that holds its stdin. After a second signal the process ends at once, and its jobs are recovered.
 */
export function workerStopSignal(): AbortSignal {
  const controller = new AbortController()
  const stop = () => controller.abort()
  let requested = 0
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      requested += 1
      if (requested > 1) process.exit(AT_ONCE)
      stop()
    })
  }
  if (env().supervised)
    process.stdin.once('end', stop).once('close', stop).once('error', stop).resume()
  return controller.signal
}

const BEAT_MS = 2000
/** Part of the time that a supervisor gives a stopping worker; a board of a million episodes may take longer. */
const LAST_BOARDS_MS = 8000
const LAST_NOTIFICATIONS_MS = 1000

export type WorkerOptions = {
  db: Db
  workerId: string
  signal: AbortSignal
  /** Computes boards; absent = on this thread. */
  build?: BuildBoards
}

/** Catches up with what happened on disk while no worker ran, then works the queue until `signal`. */
export async function startWorker({ db, workerId, signal, build }: WorkerOptions): Promise<void> {
  const boards = new BoardRefresher(db, build ?? cachingBuilder(db))
  const notifier = new Notifier({ ...env().notifications, signal })
  const context: WorkerContext = {
    db,
    workerId,
    signal,
    boards,
    ...(env().notifications.webhooks.length > 0 && { notify: notifier.send }),
  }
  const self = { id: workerId, pid: process.pid, hostId: hostId() }
  const writeHeartbeat = async () => saveHeartbeat(db, self, await readClock(db))
  await writeHeartbeat()
  let beat = Promise.resolve()
  const heartbeat = setInterval(() => {
    beat = writeHeartbeat().catch((error: unknown) => log.warn('no heartbeat', { error }))
  }, BEAT_MS)
  try {
    log.info('worker started', { ...self, database: describePlace(env().database) })
    const isFirstBoot =
      (await listSuites(db)).length === 0 || (env().firstRuns && (await isUnusedBoard(db)))
    await saveAllRuns(db)
    const included = await includeStoredRuns(db, new Date())
    if (included > 0) log.info('stored runs included in the ledger', { included })
    await sealEndedRuns(db)
    // Reading suites takes seconds, and an interrupted job should not wait for suites that are mostly known.
    const syncing = syncSuites(db, signal)
      .then(() => (signal.aborted ? undefined : boards.requestAll()))
      .catch((error: unknown) => log.error('the suites were not synced', { error }))
    // Runs of a new suite version are queued once that version is known.
    const starting = syncing
      .then(() => (isFirstBoot ? boards.settle() : undefined))
      .then(() => (env().firstRuns && !signal.aborted ? enqueueFirstJobs(db, signal) : undefined))
      .catch((error: unknown) => log.error('the first runs were not queued', { error }))
    if (isFirstBoot) await starting
    const followers = [
      followLedger,
      followRegrades,
      followRetention,
      followUploads,
      followEvaluations,
      followLocalRuns,
      followSealed,
      followSandbox,
      followChanges,
    ]
    await Promise.all([workQueue(context), ...followers.map((go) => go(context)), starting])
  } finally {
    clearInterval(heartbeat)
    await boards.close(LAST_BOARDS_MS)
    await notifier.settle(LAST_NOTIFICATIONS_MS)
    await beat // a later heartbeat would show a worker that is gone
    await removeWorker(db, workerId).catch(() => {})
    log.info('worker stopped', { workerId })
  }
}
