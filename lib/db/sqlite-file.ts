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

/** Connection to a database file: `node:sqlite` with `pragma`, `transaction` and `pluck`. */
export type SqliteFile = EnhancedDatabaseSync<DatabaseSyncInstance>

/**
 * Returns a check that throws an AppError once the file at this path has been replaced. SQLite itself continues with a
 * file that was moved, replaced or removed, and loses what is written to it then.
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
 * Opens a database file, and creates it unless it is opened read-only. `waitMs` = how long a statement blocks while
 * another connection holds the lock. Throws an error with SQLite's `errcode`.
 */
export function openSqlite(
  file: string,
  { readOnly = false, waitMs = 5000 }: { readOnly?: boolean; waitMs?: number } = {},
): SqliteFile {
  return enhance(new DatabaseSync(file, { readOnly, timeout: waitMs }))
}

/** Statements that are being read row by row. */
const reading = new Set<object>()

/**
 * Yields the rows of a statement, also to asynchronous readers. The library's iterator does not reference its
 * statement, so without this reference the garbage collector would free it while it is read.
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

/**
 * Runs `work` with transactions that do not wait for the disk: a power failure may undo the last of them, each as a
 * whole.
 */
export function withoutSync<T>(work: () => Promise<T>): Promise<T> {
  return unsynced.run(true, work)
}
