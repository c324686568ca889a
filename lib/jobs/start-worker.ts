import type { Db } from '#lib/db/database.ts'
import { includeKeptRuns } from '#lib/db/include-run.ts'
import { listSuites } from '#lib/db/suite-store.ts'
import { beat, forgetWorker } from '#lib/db/worker-store.ts'
import { env } from '#lib/env.ts'
import { createLog } from '#lib/log.ts'
import { enqueueFirstJobs } from './first-jobs.ts'
import { followEvaluations } from './follow-evaluations.ts'
import { followLedger } from './follow-ledger.ts'
import { followRegrades } from './follow-regrades.ts'
import { followRetention } from './follow-retention.ts'
import { followUploads } from './follow-uploads.ts'
import { keepAllRuns } from './keep-episodes.ts'
import { BoardRefresher } from './refresh-boards.ts'
import { sealEndedRuns } from './seal-runs.ts'
import { syncSuites } from './sync-suites.ts'
import { workQueue } from './work-queue.ts'

const BEAT_MS = 2000
const log = createLog('worker')

export type WorkerOptions = { db: Db; workerId: string; signal: AbortSignal }

/** Catches up with what happened on disk while no worker ran, then works the queue until `signal`. */
export async function startWorker({ db, workerId, signal }: WorkerOptions): Promise<void> {
  const boards = new BoardRefresher(db)
  const context = { db, workerId, signal, boards }
  const sayAlive = () => beat(db, { id: workerId, pid: process.pid }, new Date())
  await sayAlive()
  const heart = setInterval(() => {
    sayAlive().catch((error: unknown) => log.warn('no heartbeat', { error }))
  }, BEAT_MS)
  try {
    log.info('worker started', { workerId, pid: process.pid, database: env().databaseFile })
    const isFirstBoot = (await listSuites(db)).length === 0
    await keepAllRuns(db)
    const included = await includeKeptRuns(db, new Date())
    if (included > 0) log.info('kept runs included in the ledger', { included })
    await sealEndedRuns(db)
    // Reading suites takes seconds, and a job that was interrupted should not wait for what is mostly known already.
    const syncing = syncSuites(db, signal)
      .then(() => boards.refreshAll())
      .catch((error: unknown) => log.error('the suites were not synced', { error }))
    if (isFirstBoot) await syncing
    if (env().firstRuns) await enqueueFirstJobs(db, signal)
    const followers = [
      followLedger,
      followRegrades,
      followRetention,
      followUploads,
      followEvaluations,
    ]
    await Promise.all([workQueue(context), ...followers.map((go) => go(context)), syncing])
  } finally {
    clearInterval(heart)
    await boards.settle()
    await forgetWorker(db, workerId, new Date()).catch(() => {})
    log.info('worker stopped', { workerId })
  }
}
