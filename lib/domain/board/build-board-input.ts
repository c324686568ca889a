import type { Policy, Thresholds } from '../eligibility/policy.ts'
import type { Shard } from '../expand-plan.ts'
import type { Plan } from '../plan.ts'
import type { Suite } from '../suite.ts'
import type { EpisodeFact } from './episode-fact.ts'

/** One execution of a plan. Without `shard` the run is expected to hold the whole plan. */
export type PlannedRun = { runId: string; plan: Plan; shard?: Shard }

/** Everything a board is made of; two inputs with the same members in any order give the same bytes. */
export type BuildBoardInput = {
  /** The newest version of the suite: only episodes of this digest are on the board. */
  suite: Pick<Suite, 'suiteId' | 'title' | 'description' | 'digest' | 'tasks'>
  facts: readonly EpisodeFact[]
  runs: readonly PlannedRun[]
  /** Thresholds of the suite; each counts only where it is stricter than the policy's. */
  suiteThresholds?: Partial<Thresholds>
  /** From the public ledger: episodes whose tamper findings were resolved. */
  resolvedFindings?: ReadonlySet<string>
  /** Episodes that came to another verdict when this server graded them again. */
  regradeDisagreements?: ReadonlySet<string>
  policy?: Policy
}
