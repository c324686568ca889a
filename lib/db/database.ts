import { env } from '../env.ts'
import { checkMigrated, migrate } from './migrate.ts'
import { type Db, openDb } from './open-db.ts'

export type { Db } from './open-db.ts'

// On globalThis, because Next may load a module more than once in a process and SQLite wants one connection.
const shared = globalThis as { proofboardDb?: Db }

/** This process's database, opened on first use. */
export function database(): Db {
  shared.proofboardDb ??= openDb(env().databaseFile)
  return shared.proofboardDb
}

/** Applies what is missing of the schema to this process's database; answers the migrations it applied. */
export function migrateDatabase(): string[] {
  return migrate(env().databaseFile, env().migrationsDir)
}

/** Refuses this process's database when it is not there or not of this version; changes nothing. */
export function checkOwnDatabase(): void {
  checkMigrated(env().databaseFile, env().migrationsDir)
}

/** Lets go of the file; the next use opens it again. */
export async function closeDatabase(): Promise<void> {
  const db = shared.proofboardDb
  delete shared.proofboardDb
  await db?.$disconnect()
}
