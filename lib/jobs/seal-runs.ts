import type { Db } from '#lib/db/database.ts'
import { listEndedRuns, sealRun } from '#lib/db/seal-run.ts'
import { AppError } from '#lib/errors.ts'
import { createLog } from '#lib/log.ts'

const log = createLog('ledger')

/** Seals every run that has ended and holds more than the ledger says. */
export async function sealEndedRuns(db: Db): Promise<void> {
  for (const runId of await listEndedRuns(db)) await sealEndedRun(db, runId)
}

/** Seals one run. A run that cannot be sealed is told about and stops nobody: `ledger verify` finds it. */
export async function sealEndedRun(db: Db, runId: string): Promise<void> {
  try {
    if ((await sealRun(db, runId, new Date())) === 'sealed') log.info('run sealed', { runId })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.error('a run was not sealed', { runId, code: error.code, reason: error.message })
  }
}
