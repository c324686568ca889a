import type { EvaluationState, Policy } from '../eligibility/index.ts'
import type { LedgerState, RegistrationBook } from '../ledger/index.ts'
import type { EpisodeFact } from '../record/index.ts'
import type { Exercise, Suite, Task, Workflow } from '../tasks/index.ts'
import type { PlannedRun } from './planned-slots.ts'

/** The input of the evidence rules; enough for a single bundle, without the suite's texts. */
export type EligibilityInput = {
  /** The newest version of the suite: only episodes of this digest are used. */
  suite: Pick<Suite, 'suiteId' | 'digest' | 'thresholds'> & {
    /** Absent = the kinds of subjects it accepts are unknown. */
    kind?: Suite['kind']
    subjectKinds?: Suite['subjectKinds']
    tasks: readonly (Pick<Task, 'taskId' | 'digest'> &
      Partial<Pick<Workflow, 'faults'>> &
      Partial<Pick<Exercise, 'expectedTests' | 'family'>> & { source?: unknown })[]
  }
  facts: readonly EpisodeFact[]
  runs: readonly PlannedRun[]
  /** Corrections of the public ledger; none by default. */
  ledger?: LedgerState
  /** Registered plans of the ledger; absent = not checked, for example without a ledger. */
  registrations?: RegistrationBook
  /** Episodes whose newest regrade gave another verdict; absent = not checked. */
  regradeDisagreements?: ReadonlySet<string>
  /** Evaluations of uploaded solutions on this server; absent = not checked, outside of a server. */
  evaluations?: ReadonlyMap<string, EvaluationState>
  policy?: Policy
}

/** The complete input of a board; the order of its members does not change the resulting bytes. */
export type BuildBoardInput = Omit<EligibilityInput, 'suite'> & {
  suite: Pick<Suite, 'suiteId' | 'title' | 'description' | 'digest' | 'thresholds' | 'tasks'> &
    Partial<Pick<Suite, 'kind' | 'subjectKinds'>>
}
