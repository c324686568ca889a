import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { findEpisode } from '#lib/db/episode-store.ts'
import { findRun } from '#lib/db/run-store.ts'
import type { Actor } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { refuseRegrade } from './describe-regrades.ts'
import { hasOrder, leaveOrder } from './regrade-orders.ts'

type Request = { runId: string; episodeId: string | null }

/**
 * Asks the worker to regrade a run, or one episode of it. Throws an AppError that says why it cannot be done; then
 * nothing was asked.
 */
export async function requestRegrade(
  { runId, episodeId }: Request,
  by: { actor: Actor; requestId: string | null },
  now = new Date(),
): Promise<void> {
  const db = database()
  const run = await findRun(db, runId)
  if (!run) throw new AppError('not-found', `No run ${runId} is stored here.`)
  const episode = episodeId === null ? null : await findEpisode(db, episodeId)
  if (episodeId !== null && episode?.episode.runId !== runId)
    throw new AppError('not-found', `Run ${runId} has no episode ${episodeId}.`)
  const refusal = await refuseRegrade(run, hasOrder(runId))
  if (refusal !== null) throw new AppError('conflict', refusal)
  const { actor, requestId } = by
  const order = { runId, episodeId, requestedBy: actor.name, at: now.toISOString() }
  if (!leaveOrder(order)) throw new AppError('conflict', 'A regrade of this run is already queued.')
  const detail = { episodeId }
  await recordAudit(db, { actor, requestId, action: 'run.regrade', target: runId, detail }, now)
}
