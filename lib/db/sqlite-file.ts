import { AsyncLocalStorage } from 'node:async_hooks'
import { statSync } from 'node:fs'
import {
  DatabaseSync,
  type DatabaseSyncInstance,
  type EnhancedDatabaseSync,
  enhance,
} from '@photostructure/sqlite'
import { AppError } from '../errors.ts'
import { processWide } from '../process-wide.ts'
import { FILE_GONE } from './database-error.ts'

/** One connection to a database file, as `node:sqlite` has it, with `pragma`, `transaction` and `pluck`. */
export type SqliteFile = EnhancedDatabaseSync<DatabaseSyncInstance>

/**
 * A check that throws an AppError once the file at this path is another than now. SQLite itself goes on
 * with a file that was moved, replaced or removed, and what is written to it then is lost.
 */
export function watchFile(file: string): () => void {
  const opened = identify(file)
  return () => {
    if (identify(file) === opened) return
    throw new AppError('database-unusable', FILE_GONE)
  }
}

function identify(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : null
}

/**
 * Opens a database file; a new one is made unless it is only read. `waitMs`: how long a statement blocks while another
 * connection holds the lock. Throws an error with SQLite's `errcode`.
 */
export function openSqlite(
  file: string,
  { readOnly = false, waitMs = 5000 }: { readOnly?: boolean; waitMs?: number } = {},
): SqliteFile {
  return enhance(new DatabaseSync(file, { readOnly, timeout: waitMs }))
}

/** Statements that are read row by row. */
const reading = new Set<object>()

/**
 * The rows of a statement, one after another, also where its reader waits in between. The iterator of the library does not
 * hold its statement: without a reference of ours the garbage collector frees it while it is read.
 */
export function* eachRow<Row>(statement: {
  iterate: (...values: never[]) => Iterable<unknown>
}): Generator<Row> {
  reading.add(statement)
  try {
    yield* statement.iterate() as Iterable<Row>
  } finally {
    reading.delete(statement)
  }
}

export const unsynced = processWide('unsynced', () => new AsyncLocalStorage<true>())

/** Transactions that `work` begins do not wait for the disk: a power failure may take the last of them back, each as a whole. */
export function withoutSync<T>(work: () => Promise<T>): Promise<T> {
  return unsynced.run(true, work)
}
