import { databaseError } from '../db/database-error.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

/**
 * Logs what went wrong in a loop that goes on. A database that cannot be reached is somebody's to mend, and a warning in
 * one sentence; all else is a bug of ours. Answers the sentence of the former, null for the latter.
 */
export function tellTrouble(log: Log, what: string, error: unknown, fields = {}): string | null {
  const trouble = databaseError(error)
  if (trouble instanceof AppError) {
    log.warn(what, { ...fields, reason: trouble.message })
    return trouble.message
  }
  log.error(`${what}, please report this bug`, { ...fields, error })
  return null
}
