import { z } from 'zod'

/** primary = a claim; the others say why it is not one (`lib/domain/eligibility/README.md`, Labels). */
export const evidenceLabelSchema = z.enum([
  'primary',
  'stress',
  'escrow',
  'smoke',
  'scaffold',
  'diagnostic',
])
export type EvidenceLabel = z.infer<typeof evidenceLabelSchema>

/** One evidence rule that a row does not meet. */
export const ruleRefusalSchema = z.object({
  /** Stable: mode, postcondition, same-contract, pins, samples, … */
  code: z.string(),
  /** The problem, in one sentence. */
  reason: z.string(),
  /** The fix, in one sentence. */
  remedy: z.string(),
})
export type RuleRefusal = z.infer<typeof ruleRefusalSchema>

/** Result of the evidence rules: `eligible` exactly when there are no refusals. */
export type Eligibility = {
  label: EvidenceLabel
  eligible: boolean
  refusals: RuleRefusal[]
  /** The review of the row’s own library in the ledger; absent = none. */
  acceptedLibrary?: { sequence: number; at: string; reason: string }
}

/** Compares a row's runs with the plans registered before them. Counts are runs. */
export const rowRegistrationSchema = z.object({
  status: z.enum(['registered', 'unregistered', 'late', 'incomplete']),
  /** Number of runs in the row. */
  runs: z.number().int(),
  /** Runs among them that are not registered, or registered by another sender. */
  unregistered: z.number().int(),
  /** Late runs among them: an episode started, or ended without naming the registration, before it was received. */
  late: z.number().int(),
  /** Runs that the same senders registered for this row, and those of them that were received. */
  owed: z.number().int(),
  received: z.number().int(),
  /**
   * Plans that the same sender registered by digest alone before this row was received, and that have no received run.
   */
  blind: z.number().int(),
  /**
   * Other plans that the same senders registered for a subject of this name and model, under other versions or
   * settings, and that lack runs. They do not keep a row from being a claim; the row shows them. Absent in rows stored
   * before.
   */
  abandoned: z.number().int().optional(),
  /**
   * The same for subjects of other names, and for plans registered by digest alone; absent = none, or this server's
   * own.
   */
  otherPlans: z.number().int().optional(),
  /**
   * Runs that the same senders registered for it and that were removed, other than those that the row counts; absent =
   * none.
   */
  withdrawn: z.number().int().optional(),
})
export type RowRegistration = z.infer<typeof rowRegistrationSchema>

/**
 * State of evaluating an episode here. `browser`: a workflow whose stored state agrees, but some criteria cannot be
 * judged without its page; with a `reason`, none could. Every `impossible` keeps its row from being a claim. `reason`
 * is part of a sentence. `isUntouched`: the attempt left no work to judge.
 */
export type EvaluationState = { isModelSeen: boolean; isUntouched?: boolean } & (
  | { state: 'agreed' | 'pending'; reason: null }
  | { state: 'browser'; reason: string | null }
  | { state: 'disagreed' | 'impossible'; reason: string }
)

const count = z.number().int().nonnegative()

/** Results of evaluating solutions here again, for a row's scored episodes that ran elsewhere. */
export const evaluatedHereSchema = z.object({
  agreed: count,
  disagreed: count,
  pending: count,
  /** Cannot be evaluated; `reason` says why. */
  impossible: count,
  /** The most frequent reason among the blocking episodes, or those that rely on their sender. */
  reason: z.string().optional(),
})
export type EvaluatedHere = z.infer<typeof evaluatedHereSchema>
