import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from './database-error.ts'
import type { Db, Tx } from './db.ts'
import { dialectOf } from './dialect.ts'
import { withoutSync } from './sqlite-file.ts'

/** A transaction that collides this often is no accident. */
const MAX_TRIES = 6
const PAUSE_MS = 20

/** `pg_advisory_xact_lock` of everyone who writes; any number, as long as it is the same. */
const WRITE_LOCK = 7_066_220

/**
 * Runs `work` in one transaction that sees all earlier writes and runs without concurrent writers: whole or not at
 * all. SQLite takes its write lock when the transaction begins. In PostgreSQL writers queue for one lock in the same
 * way: stores look before they write, ledger entries and facts are numbered in the order in which they are committed,
 * and the counters of `Change` are rows that every writer touches anyway. `work` may be run again when the database
 * broke it off, so it changes nothing but the database. `timeout` in milliseconds. `isDerived`: all that it writes can be
 * made again from the rest of the database, so in SQLite nothing waits for the disk. A power failure may take it back, as
 * a whole; that ends every process with the file, and no later transaction survives one that did not.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { isDerived = false, ...options }: { timeout?: number; isDerived?: boolean } = {},
): Promise<T> {
  const run = () =>
    db.$transaction(async (tx) => {
      if (dialectOf(db) === 'postgresql')
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${WRITE_LOCK})`
      return work(tx)
    }, options)
  for (let tries = 1; ; tries++) {
    try {
      return await (isDerived ? withoutSync(run) : run())
    } catch (error) {
      if (!isConflict(error) || tries === MAX_TRIES) throw error
    }
    await pause(PAUSE_MS * tries * (0.5 + Math.random()))
  }
}
