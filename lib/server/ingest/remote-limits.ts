import type { DbOrTx } from '../../db/db.ts'
import { type AnyEpisode, slotKey } from '../../domain/record/index.ts'
import type { Problem } from '../../domain/text/index.ts'

/** Limits of a run token: episodes of one run, in slots of one shard (by `slotKey`). */
export type RemoteLimits = {
  runId: string
  slots: ReadonlySet<string>
  /** Checks again inside the transaction. Throws an AppError when the token is no longer valid. */
  recheck: (tx: DbOrTx) => Promise<void>
}

/** Returns why an episode is not allowed with this token; null = it is. */
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
