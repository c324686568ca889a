import { AppError } from '../errors.ts'

/** Said of a file that is not the one that was opened: SQLite itself would go on with it. */
export const FILE_GONE =
  'the database file was moved, replaced or removed while it was in use: nothing more is written; put it back, or restart the server'

/** True when another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return /SQLITE_BUSY|SQLITE_LOCKED|database is locked|SocketTimeout/i.test(told(error))
}

/** True when the database broke a transaction off because another one crossed it: nothing was written, do it again. */
export function isConflict(error: unknown): boolean {
  return /\b(40001|40P01|P2034)\b|TransactionWriteConflict/.test(told(error))
}

/** An SQLite failure that a person can do something about, as an AppError; anything else as it came. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const text = told(error)
  const refuse = (code: AppError['code'], message: string) =>
    new AppError(code, message, { cause: error })
  // Prisma wraps it in an error of its own.
  if (text.includes(FILE_GONE)) return refuse('database-unusable', FILE_GONE)
  if (isBusy(error)) {
    return refuse(
      'database-busy',
      'the database is locked by another process: nothing was written, try again',
    )
  }
  if (/SQLITE_FULL|ENOSPC|database or disk is full/i.test(text)) {
    return refuse(
      'disk-full',
      'the disk is full: nothing was written; free some space and try again',
    )
  }
  if (/SQLITE_(NOTADB|CORRUPT)|file is not a database|disk image is malformed/i.test(text)) {
    return refuse(
      'database-unusable',
      'the database file is damaged or no SQLite database: restore a copy of it',
    )
  }
  if (
    /SQLITE_(READONLY|CANTOPEN|PERM|IOERR)|EACCES|EROFS|ENOTDIR|EEXIST|unable to open|readonly database/i.test(
      text,
    )
  ) {
    return refuse(
      'database-unusable',
      'the database file cannot be opened for writing: check the data directory',
    )
  }
  if (/no such (table|column)|TableDoesNotExist|ColumnNotFound/i.test(text)) {
    return refuse(
      'database-unusable',
      'the database lacks a table or column: start the server once to migrate it',
    )
  }
  return error
}

/** Runs a piece of work on the database and names its failure. */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseError(error)
  }
}

/** Everything an error and its causes say, for matching SQLite's result codes wherever Prisma put them. */
function told(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 3) return String(error)
  const { message, code, meta, cause } = error as Record<string, unknown>
  const details = [message, code, meta && JSON.stringify(meta)].filter(Boolean).map(String)
  if (cause instanceof Error) details.push(told(cause, depth + 1))
  else if (cause !== undefined) details.push(JSON.stringify(cause))
  return details.join(' ')
}
