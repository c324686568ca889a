import { setTimeout as pause } from 'node:timers/promises'
import { isConflict } from './database-error.ts'
import type { Db, Tx } from './db.ts'
import { dialectOf } from './dialect.ts'
import { withoutSync } from './sqlite-file.ts'

/** Attempts at a transaction that conflicts with others. More conflicts are a bug. */
const MAX_TRIES = 6
const PAUSE_MS = 20

/** `pg_advisory_xact_lock` of all writers. An arbitrary number, the same everywhere. */
const WRITE_LOCK = 7_066_220

/**
 * Runs `work` in one transaction that sees all earlier writes and no concurrent writer, whole or not at all. SQLite
 * takes its write lock when the transaction begins. In PostgreSQL writers queue for one advisory lock in the same way:
 * stores read before they write, ledger entries and facts are numbered in commit order, and the counters of `Change`
 * are rows that every writer updates anyway. `work` may run again when the database aborts it, so it changes nothing
 * but the database. `timeout` in milliseconds. `isDerived`: everything it writes can be rebuilt from the rest of the
 * database, so SQLite does not wait for the disk. A power failure may undo it as a whole; that ends every process with
 * the file, and no later transaction survives an undone one.
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
