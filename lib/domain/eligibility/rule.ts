import type { EpisodeFact, Plan, PlannedSlot, Subject } from '../record/index.ts'
import type { EvaluationState, RowRegistration, RuleRefusal } from './eligibility.ts'
import type { Policy } from './policy.ts'
import type { KnownPrograms } from './released-programs.ts'

/**
 * One evidence rule. `demand` is shown on the methodology page; `check` returns null when the rule is met, otherwise
 * the problem and its fix, each in one or two sentences.
 */
export type Rule<Code extends string = string> = {
  /** Stable: stored with every row, and an anchor on the methodology page. */
  code: Code
  /** Fixed since the first board: it may be made stricter, never weaker. */
  fromSeed: boolean
  /** True if all episodes meet it when one of each kind does (`listKinds`); absent = it needs all. */
  isByKind?: true
  demand: (policy: Policy) => string
  check: (input: EligibilityCase) => RuleFailure | null
}

/** Keeps the rule's code as a literal type, so that the list of rules is also the list of codes. */
export function evidenceRule<Code extends string>(rule: Rule<Code>): Rule<Code> {
  return rule
}

export type RuleFailure = Pick<RuleRefusal, 'reason' | 'remedy'>

/** The parts of a frozen plan that the rules use. */
export type PlanTerms = Pick<
  Plan,
  'planDigest' | 'frozenAt' | 'settings' | 'subject' | 'policyVersion' | 'arms'
>

/** An invalidated run or row, with the public reason. */
export type Invalidation = { target: string; reason: string; at: string }

/**
 * Everything besides a row's own episodes that decides whether it is ranked. The accompanying facts are the counted
 * ones: the final attempt of each slot.
 */
export type EligibilityContext = {
  policy: Policy
  /** `task` for a claim or chart about one task: the per-task threshold applies. */
  claim: 'aggregate' | 'task'
  /** Tasks that all compared subjects must have run, with the digest of each. */
  suiteTasks: readonly {
    taskId: string
    digest: string
    /** Faults that a browser workflow supports, by kind; absent = any. */
    faults?: Readonly<Record<string, unknown>>
    /** Names of an exercise's tests; absent or empty = unknown, or its contract has no tests. */
    expectedTests?: readonly string[]
    /** True if no proof shows that its check tells good work from none; absent = it is proven. */
    unproven?: boolean | undefined
  }[]
  /** The kinds of subjects that the suite measures; absent = unknown. */
  subjectKinds?: readonly Subject['kind'][] | undefined
  /** Keyed by plan digest. Plans that are not in the map are unknown. */
  plans: ReadonlyMap<string, PlanTerms>
  planned: readonly PlannedSlot[]
  /** Planned slots that have not ended; absent = not listed yet. */
  missing?: readonly PlannedSlot[]
  /** Other arms of the row's runs that lack planned episodes; absent = none. */
  unfinishedArms?: readonly string[]
  /** Slots with a retry although an earlier attempt was scored. */
  retriedSlots: readonly PlannedSlot[]
  /** Void attempts that no longer count because they were retried or replaced. */
  replacedVoids: readonly PlannedSlot[]
  /** Planned slots without an attempt from their sender that a top-up filled; absent = none. */
  unsent?: readonly PlannedSlot[]
  /** Episodes whose tampering findings were resolved in the public ledger. */
  resolvedFindings: Pick<ReadonlySet<string>, 'has'>
  /** A reviewer accepted the row's own library in the ledger; absent = no. */
  isLibraryAccepted?: boolean
  /** Ledger entries that invalidate this row or one of its runs. */
  invalidations: readonly Invalidation[]
  /** Episodes whose stored solution got another verdict when this server graded it again. */
  regradeDisagreements: ReadonlySet<string>
  /**
   * Evaluations of episodes that ran elsewhere, by episode id; missing ones are pending. Null = not checked, for
   * bundles that no server has received.
   */
  evaluations: ReadonlyMap<string, EvaluationState> | null
  /** Tasks that the same subject version passed without a fault; used by stress rows only. */
  passedWithoutFault: ReadonlySet<string>
  /** Comparison of its runs with the plans registered here; null or absent = not checked. */
  registration?: RowRegistration | null
  /** Episodes that repeat the content of an earlier run, with its id; absent = none. */
  copies?: ReadonlyMap<string, string>
  /** The subject that this one could be mistaken for, in one sentence; absent or null = none. */
  imitation?: string | null
  /** Harness versions and verifier digests of released programs and of this server. */
  knownPrograms?: KnownPrograms
}

/** Input of every rule: a row's counted episodes with their context. */
export type EligibilityCase = {
  facts: readonly EpisodeFact[]
  /** One episode of each kind (`listKinds`). */
  kinds: readonly EpisodeFact[]
  context: EligibilityContext
}
