import type { DbOrTx } from '../../db/db.ts'
import { type AnyEpisode, type Problem, slotKey } from '../../domain/record/index.ts'

/** What a run token may bring: episodes of one run, in slots of one shard (by `slotKey`). */
export type RemoteLimits = {
  runId: string
  slots: ReadonlySet<string>
  /** Asked again inside the transaction that writes; throws an AppError where it may no longer. */
  recheck: (tx: DbOrTx) => Promise<void>
}

/** Why an episode may not come with this token; null = it may. */
export function findElsewhere(
  episode: AnyEpisode,
  limits: RemoteLimits | undefined,
): Problem | null {
  if (!limits) return null
  if (episode.runId !== limits.runId)
    return { path: 'runId', message: `is not ${limits.runId}, which alone this token reports` }
  if (limits.slots.has(slotKey(episode))) return null
  return { path: 'taskId', message: 'with this repetition is of another shard' }
}
