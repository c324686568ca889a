import { afterEach, beforeEach, vi } from 'vitest'
import { settleEnv } from '#lib/env.ts'
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts'

/** Gives each test of a file a database of its own, whose folder is the data folder: reads as the one of the test at work. */
export function databaseForEach(): TemporaryDatabase {
  let current: TemporaryDatabase
  beforeEach(async () => {
    current = await temporaryDatabase()
    vi.stubEnv('PROOFBOARD_DATA_DIR', current.dir)
    settleEnv(process.cwd())
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await current.close()
  })
  return {
    get db() {
      return current.db
    },
    get file() {
      return current.file
    },
    get dir() {
      return current.dir
    },
    close: () => current.close(),
  }
}
