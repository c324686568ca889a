import type { EvaluationState, Policy } from '../eligibility/index.ts'
import type { LedgerState, RegistrationBook } from '../ledger/index.ts'
import type { AnyPlan, EpisodeFact, Shard } from '../record/index.ts'
import type { Exercise, Suite, Task, Workflow } from '../tasks/index.ts'

/** One execution of a plan. Without `shard` the run is expected to hold the whole plan. */
export type PlannedRun = {
  runId: string
  plan: AnyPlan
  shard?: Shard
  /** Place of its first `include` in the ledger; absent = there is no ledger. */
  order?: number
}

/** What the headline gate needs to decide about rows: enough for a bundle on its own, without the suite's texts. */
export type EligibilityInput = {
  /** The newest version of the suite: only episodes of this digest are looked at. */
  suite: Pick<Suite, 'suiteId' | 'digest' | 'thresholds'> & {
    /** Absent = nobody knows which kinds of subjects it takes. */
    kind?: Suite['kind']
    subjectKinds?: Suite['subjectKinds']
    tasks: readonly (Pick<Task, 'taskId' | 'digest'> &
      Partial<Pick<Workflow, 'faults'>> &
      Partial<Pick<Exercise, 'expectedTests'>>)[]
  }
  facts: readonly EpisodeFact[]
  runs: readonly PlannedRun[]
  /** What the public ledger corrected; nothing by default. */
  ledger?: LedgerState
  /** What the ledger says of registered plans; absent = nobody asks, as where there is no ledger. */
  registrations?: RegistrationBook
  /** Episodes that came to another verdict when this server graded them again. */
  regradeDisagreements?: ReadonlySet<string>
  /** What judging solutions from elsewhere here came to; absent = outside of a server, where nobody asks. */
  evaluations?: ReadonlyMap<string, EvaluationState>
  policy?: Policy
}

/** Everything a board is made of; two inputs with the same members in any order give the same bytes. */
export type BuildBoardInput = Omit<EligibilityInput, 'suite'> & {
  suite: Pick<Suite, 'suiteId' | 'title' | 'description' | 'digest' | 'thresholds' | 'tasks'> &
    Partial<Pick<Suite, 'kind' | 'subjectKinds'>>
}
