import { randomUUID } from 'node:crypto'
import { closeDataFolder } from '#lib/close-data-folder.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'
import { startWorker } from './start-worker.ts'
import { stopSignal } from './stop-signal.ts'

const log = createLog('worker')

/** The worker's life: migrate, catch up with the disk, work the queue until told to stop. */
export async function main(): Promise<void> {
  try {
    const signal = stopSignal()
    closeDataFolder(env().dataDir)
    const applied = migrateDatabase()
    if (applied.length > 0) log.info('migrations applied', { applied })
    await startWorker({ db: database(), workerId: `worker_${randomUUID()}`, signal })
    await closeDatabase()
    process.exit(0)
  } catch (error) {
    if (error instanceof AppError) log.error(error.message, { code: error.code })
    else log.error('the worker failed, please report this bug', { error })
    process.exit(1)
  }
}
