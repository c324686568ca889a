import type { EpisodeFact, Plan, PlannedSlot, Subject } from '../record/index.ts'
import type { EvaluationState, RowRegistration, RuleRefusal } from './eligibility.ts'
import type { Policy } from './policy.ts'
import type { KnownPrograms } from './released-programs.ts'

/**
 * One evidence rule. `demand` is shown on the methodology page; `check` returns null when the rule is met, otherwise
 * what is wrong and how to fix it, each in one or two sentences.
 */
export type Rule<Code extends string = string> = {
  /** Stable: it is stored with every row, and the methodology page has an anchor of this name. */
  code: Code
  /** Fixed before the board was built: it may be made stricter, never weaker. */
  fromSeed: boolean
  demand: (policy: Policy) => string
  check: (gate: EligibilityCase) => RuleFailure | null
}

/** Keeps the rule's code as a literal, so that the list of rules is also the list of codes. */
export function gateRule<Code extends string>(rule: Rule<Code>): Rule<Code> {
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
 * Everything outside a row's own episodes that decides whether it is ranked. The facts that go with it are the
 * counted ones: the final attempt of each slot.
 */
export type EligibilityContext = {
  policy: Policy
  /** `task` when the claim or chart is about one task: the per-task threshold applies. */
  claim: 'aggregate' | 'task'
  /** The tasks that all compared subjects must have run, with the digest of each. */
  suiteTasks: readonly {
    taskId: string
    digest: string
    /** The faults a browser workflow takes, by kind; absent = any. */
    faults?: Readonly<Record<string, unknown>>
    /** The tests of an exercise by name; absent or empty = its contract is no tests, or they are unknown. */
    expectedTests?: readonly string[]
  }[]
  /** The kinds of subjects that the suite measures; absent = unknown. */
  subjectKinds?: readonly Subject['kind'][] | undefined
  /** By plan digest. A plan that is not here is unknown. */
  plans: ReadonlyMap<string, PlanTerms>
  planned: readonly PlannedSlot[]
  /** Other arms of the row's runs that lack planned episodes; absent = none. */
  unfinishedArms?: readonly string[]
  /** Slots with a retry although an earlier attempt was scored. */
  retriedSlots: readonly PlannedSlot[]
  /** Void attempts that no longer count because they were retried or replaced. */
  replacedVoids: readonly PlannedSlot[]
  /** Planned slots that a sender never sent an attempt of and that a top-up filled; absent = none. */
  unsent?: readonly PlannedSlot[]
  /** Episodes whose tampering findings were resolved in the public ledger. */
  resolvedFindings: Pick<ReadonlySet<string>, 'has'>
  /** Ledger entries that invalidate this row or one of its runs. */
  invalidations: readonly Invalidation[]
  /** Episodes whose stored solution this server graded again with another verdict. */
  regradeDisagreements: ReadonlySet<string>
  /**
   * What this server found when it judged the solutions of episodes that ran elsewhere, by episode id; one that is not
   * here waits. Null = not checked, for bundles that no server has received.
   */
  evaluations: ReadonlyMap<string, EvaluationState> | null
  /** Tasks that the same subject version passed without a fault; used by stress rows only. */
  passedWithoutFault: ReadonlySet<string>
  /** How its runs match the plans registered here; null or absent = not checked. */
  registration?: RowRegistration | null
  /** Episodes whose content is that of another run which came first, with its id; absent = none. */
  copies?: ReadonlyMap<string, string>
  /** What the row's subject could be taken for, in one sentence; absent or null = nothing. */
  imitation?: string | null
  /** Harness versions and verifier digests of released programs and of this server. */
  knownPrograms?: KnownPrograms
}

/** A row's counted episodes with their context: what every rule is given. */
export type EligibilityCase = { facts: readonly EpisodeFact[]; context: EligibilityContext }
