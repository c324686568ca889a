import { afterEach, beforeEach, vi } from 'vitest'
import { settleEnv } from '#lib/env.ts'
import { ON_POSTGRES } from './postgres.ts'
import { type TemporaryDatabase, temporaryDatabase } from './temporary-database.ts'

/** Gives each test of a file its own database in its own data folder. Returns that of the running test. */
export function databaseForEach(): TemporaryDatabase {
  let current: TemporaryDatabase
  beforeEach(async () => {
    current = await temporaryDatabase()
    vi.stubEnv('PROOFBOARD_DATA_DIR', current.dir)
    if (ON_POSTGRES) vi.stubEnv('DATABASE_URL', current.place)
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
    get place() {
      return current.place
    },
    get dir() {
      return current.dir
    },
    close: () => current.close(),
  }
}
