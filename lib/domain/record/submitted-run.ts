import type { AnyEpisode, AnyPlan } from './any-record.ts'
import type { AnyBundle } from './bundle.ts'
import type { Shard } from './names.ts'

/** One run as it was submitted: the contents of its `result.json`. */
export type SubmittedRun = {
  runId: string
  plan: AnyPlan
  /** Null = the run is the whole plan. */
  shard: Shard | null
  episodes: readonly AnyEpisode[]
}

/** Returns the run that a bundle contains. */
export function runOfBundle({ runId, plan, shard, episodes }: AnyBundle): SubmittedRun {
  return { runId, plan, shard: shard.count > 1 ? shard : null, episodes }
}
