import { migrateDatabase } from '#lib/db/database.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'

/** Once per server process: the database is brought up to date, or the server ends with one line that says why not. */
export function bootServer(): void {
  const log = createLog('server')
  try {
    const applied = migrateDatabase()
    if (applied.length > 0) log.info('migrations applied', { applied })
    if (env().supervised) endWithSupervisor()
  } catch (error) {
    const message = error instanceof AppError ? error.message : String(error)
    process.stderr.write(`proofboard cannot start: ${message}\n`)
    process.exit(1)
  }
}

/** Whoever started us holds our stdin; when it closes, they are gone, and we end in order. */
function endWithSupervisor(): void {
  const end = () => process.kill(process.pid, 'SIGTERM')
  process.stdin.once('end', end).once('error', end).resume()
}
