import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { database } from '#lib/db/database.ts'
import { findRun, type RunRecord } from '#lib/db/run-store.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import type { RegradeLine } from '#lib/domain/regrade.ts'
import { env } from '#lib/env.ts'
import { listRegrades } from './list-regrades.ts'
import { hasOrder } from './regrade-orders.ts'

export type RegradeFacts = {
  lines: RegradeLine[]
  isWaiting: boolean
  /** Why no regrade can be asked for, in a sentence; null = it can. */
  refusal: string | null
}

/** What was regraded of a run, or of one episode of it, and whether it can be done again. */
export async function describeRegrades(
  runId: string,
  episodeId: string | null,
): Promise<RegradeFacts> {
  const lines = await listRegrades(runId)
  const isWaiting = hasOrder(runId)
  const run = await findRun(database(), runId)
  const own = lines.filter((line) => episodeId === null || line.episodeId === episodeId)
  return { lines: own, isWaiting, refusal: run && (await refuseRegrade(run, isWaiting)) }
}

/** Why a run cannot be regraded now; null = it can. */
export async function refuseRegrade(run: RunRecord, isWaiting: boolean): Promise<string | null> {
  const suite = await findSuiteVersion(database(), run.plan.suiteDigest)
  if (suite?.kind === 'browser')
    return 'Browser workflows cannot be regraded, because the final state of the app is gone. Run it again instead.'
  if (!existsSync(join(env().runsDir, run.runId, 'plan.json')))
    return 'The files of this run are not stored here, so there is no solution to regrade.'
  return isWaiting ? 'A regrade of this run is already queued.' : null
}
