import { databaseError } from '../db/database-error.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/**
 * Logs a failure in a loop that continues. A database that cannot be reached is a problem for the operator, logged as a
 * warning in one sentence; everything else is a bug. Returns that sentence for a database failure, null for a bug.
 */
export function logFailure(log: Log, what: string, error: unknown, fields = {}): string | null {
  const failure = databaseError(error)
  if (failure instanceof AppError) {
    log.warn(what, { ...fields, reason: failure.message })
    return failure.message
  }
  log.error(`${what}, please report this bug`, { ...fields, error })
  return null
}
