import { randomUUID } from 'node:crypto'
import { env } from '../env.ts'
import { processWide } from '../process-wide.ts'
import { databaseError, isBusy, isDamaged } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { dialectOf } from './dialect.ts'
import { checkMigrated, migrate, readOnly } from './migrate.ts'
import { openDb } from './open-db.ts'
import { checkPostgres, migratePostgres } from './postgres/migrate-postgres.ts'
import { describePostgres, isPostgresUrl } from './postgres/postgres-url.ts'
import { inTransaction } from './transaction.ts'

export type { Db } from './db.ts'

// SQLite needs one connection per process.
const own = () =>
  processWide('database', () => ({ open: null as { place: string; db: Db } | null }))

/** Returns this process's database, opened on first use. */
export function database(): Db {
  const place = env().database
  // Code that still uses the previous file, such as a stream that is ending, does not change which one others get.
  const holder = own()
  if (holder.open?.place !== place) holder.open = { place, db: openDb(place) }
  return holder.open.db
}

/**
 * Applies missing migrations to this process's database and returns their names. Servers call `upgradeDatabase` at
 * start instead.
 */
export async function migrateDatabase(): Promise<string[]> {
  return migratePlace(env().database, env().migrationsDir)
}

/** Applies missing migrations to the database at a file or URL. */
export async function migratePlace(place: string, migrationsDir: string): Promise<string[]> {
  return isPostgresUrl(place)
    ? migratePostgres(place, migrationsDir)
    : migrate(place, migrationsDir)
}

/**
 * Throws an AppError unless this process's database exists and has this version, or with `allowsOlder` an earlier one.
 * Changes nothing.
 */
export async function verifyDatabase(options: { allowsOlder?: boolean } = {}): Promise<void> {
  const { database: place, migrationsDir } = env()
  if (isPostgresUrl(place)) await checkPostgres(place, migrationsDir, options)
  else checkMigrated(place, migrationsDir, options)
}

/** Closes the file; the next use opens it again. */
export async function closeDatabase(): Promise<void> {
  const holder = own()
  const { open } = holder
  holder.open = null
  await open?.db.$disconnect()
}

/** Counts running jobs whose lease expired by `now` and that no worker took over. */
export async function countStuckLeases(db: Db, now: Date): Promise<number> {
  return db.job.count({ where: { status: 'running', leaseUntil: { lt: now } } })
}

/**
 * Writes and removes a row in one transaction, to test writing without a visible change. False = another process holds
 * the write lock for longer than a statement waits. Throws an AppError for a full disk and a file that cannot be
 * written.
 */
export async function canWrite(db: Db): Promise<boolean> {
  const key = `probe:${randomUUID()}`
  try {
    await inTransaction(db, async (tx) => {
      await tx.signInThrottle.create({ data: { key, failures: 0, windowStart: new Date() } })
      await tx.signInThrottle.delete({ where: { key } })
    })
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw databaseError(error)
  }
}

/** Formats the location of a database for logs and messages, without its password. */
export function describePlace(place: string): string {
  return isPostgresUrl(place) ? describePostgres(place) : place
}

/** Returns the time that leases are measured by: the database server's, which all hosts share, else this machine's. */
export async function readClock(db: DbOrTx): Promise<Date> {
  if (dialectOf(db) === 'sqlite') return new Date()
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS double precision) AS "ms"`
  return new Date(row?.ms ?? Date.now())
}

/** Runs SQLite's quick check on a file, through a separate connection. It reads the whole file. */
export function isSound(file: string): boolean {
  try {
    return readOnly(file, (db) => db.pragma('quick_check(1)', { simple: true }) === 'ok')
  } catch (error) {
    // The damage stops the check itself.
    if (isDamaged(error)) return false
    throw error
  }
}
