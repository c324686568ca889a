import { AppError } from '../errors.ts'

/** Message for a file that was replaced since it was opened, which SQLite itself does not notice. */
export const FILE_GONE =
  'the database file was moved, replaced or removed while it was in use: nothing more is written; put it back, or restart the server'

/** Returns the error for changing tables while another process uses them. `place` names the database in the message. */
export function inUse(place: string): AppError {
  const message = `${place} is from an earlier version of Proofboard and another process still uses it: stop every server, worker and command of this board on all machines, then start again; nothing was touched`
  return new AppError('conflict', message)
}

const BUSY =
  /SQLITE_BUSY|SQLITE_LOCKED|database is locked|SocketTimeout|\b(55P03|53300|P2024|P2028)\b|TooManyConnections/i

/** Returns whether another process holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(textOf(error))
}

const DAMAGED = /SQLITE_(NOTADB|CORRUPT)|file is not a database|disk image is malformed/i

/** Returns whether the file is damaged or not a SQLite database. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.test(textOf(error))
}

/** Returns whether the database aborted a transaction because of a concurrent one. Nothing was written; retry it. */
export function isConflict(error: unknown): boolean {
  return /\b(40001|40P01|P2034)\b|TransactionWriteConflict/.test(textOf(error))
}

/** Retry interval while a server cannot be reached, as it may be starting. */
const RETRY_MS = 5000

/** Server error codes, and what each means to the administrator. */
const SERVER: readonly [
  pattern: RegExp,
  code: AppError['code'],
  message: string,
  retry?: number,
][] = [
  [
    /\b(28P01|28000|P1000|P1010)\b|AuthenticationFailed|DatabaseAccessDenied|SASL|no password/,
    'database-unusable',
    'the database server refuses the user or password of DATABASE_URL',
  ],
  [
    /\b(3D000|P1003)\b|DatabaseDoesNotExist/,
    'database-unusable',
    'the database server has no database of the name in DATABASE_URL: create it first',
  ],
  [
    /\b42501\b/,
    'database-unusable',
    'the user of DATABASE_URL may not do this: let it own the database',
  ],
  [
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|connect (ENOENT|EACCES)|\b(57P0[1-3]|08\w{3}|25P03|P1001|P1017)\b|ConnectionClosed|DatabaseNotReachable|Connection terminated|connection timeout|timeout expired/,
    'database-unusable',
    'the database server cannot be reached: nothing was written; check that it runs, and DATABASE_URL',
    RETRY_MS,
  ],
  [/\b53100\b/, 'disk-full', 'the disk of the database server is full: nothing was written'],
  [
    /\b(22021|22P05)\b/,
    'invalid-request',
    'a text contains a NUL character, which the database cannot store: nothing was written',
  ],
]

/** Converts a database failure that a person can fix into an AppError; returns any other error unchanged. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const text = textOf(error)
  const refuse = (code: AppError['code'], message: string, retryAfterMs?: number) =>
    new AppError(code, message, { cause: error, ...(retryAfterMs && { retryAfterMs }) })
  // Prisma wraps it in another error.
  if (text.includes(FILE_GONE)) return refuse('database-unusable', FILE_GONE)
  const known = SERVER.find(([pattern]) => pattern.test(text))
  if (known) return refuse(known[1], known[2], known[3])
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
  if (isDamaged(error)) {
    return refuse(
      'database-unusable',
      'the database file is damaged or no SQLite database: restore a copy of it',
    )
  }
  if (
    /SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EROFS|ENOTDIR|EEXIST|unable to open|readonly database/i.test(
      text,
    )
  ) {
    return refuse(
      'database-unusable',
      'the database file cannot be opened for writing: check the data directory',
    )
  }
  if (/SQLITE_IOERR|disk I\/O error/i.test(text)) {
    return refuse(
      'database-unusable',
      'the database file cannot be read or written (disk I/O error): check that its disk works and is not full',
    )
  }
  if (/no such (table|column)|TableDoesNotExist|ColumnNotFound|\b(42P01|42703)\b/i.test(text)) {
    return refuse(
      'database-unusable',
      'the database lacks a table or column: start the server once to migrate it',
    )
  }
  return error
}

/** Runs `work` and converts its database failures into AppErrors. */
export async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseError(error)
  }
}

/**
 * Returns the messages and codes of an error and its causes, because Prisma stores result codes in different places.
 */
function textOf(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 3) return String(error)
  const { message, code, meta, cause } = error as Record<string, unknown>
  const details = [message, code, meta && JSON.stringify(meta)].filter(Boolean).map(String)
  if (cause instanceof Error) details.push(textOf(cause, depth + 1))
  else if (cause !== undefined) details.push(JSON.stringify(cause))
  return details.join(' ')
}
