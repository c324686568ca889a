import { readTextFile } from '#lib/archive/read-text-file.ts'
import { database } from '#lib/db/database.ts'
import { parsePlan } from '#lib/db/plan-store.ts'
import { parseShard, saveRun } from '#lib/db/run-store.ts'
import { AppError } from '#lib/errors.ts'
import { withServerDatabase } from './with-server-database.ts'

type Order = {
  /** The file of the frozen plan. */
  planPath: string
  runId: string
  /** `i/n`; null = the whole plan. */
  shard: string | null
}

/** Registers a run that the command line is about to start in this server's data folder. Throws an AppError. */
export async function registerRun({ planPath, runId, shard }: Order): Promise<void> {
  const plan = parsePlan(readJson(planPath))
  const part = parseShard(shard) ?? undefined
  const origin = { provenance: 'local' as const, registeredBy: 'command line', jobId: null }
  await withServerDatabase(() =>
    saveRun(database(), { runId, plan, shard: part, ...origin }, new Date()),
  )
}

function readJson(path: string): unknown {
  const text = readTextFile(path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid-request', `${path} is not JSON`, { cause })
  }
}
