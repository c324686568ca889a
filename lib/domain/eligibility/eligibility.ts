import { z } from 'zod'

/** primary = a claim; the others say why it is none (`lib/domain/eligibility/README.md`, Labels). */
export const evidenceLabelSchema = z.enum(['primary', 'stress', 'smoke', 'scaffold', 'diagnostic'])
export type EvidenceLabel = z.infer<typeof evidenceLabelSchema>

/** One evidence rule that a row does not meet. */
export const ruleRefusalSchema = z.object({
  /** Stable: mode, postcondition, same-contract, pins, samples, … */
  code: z.string(),
  /** What is wrong, in one sentence. */
  reason: z.string(),
  /** How to fix it, in one sentence. */
  remedy: z.string(),
})
export type RuleRefusal = z.infer<typeof ruleRefusalSchema>

/** Result of the evidence rules: `eligible` exactly when there are no refusals. */
export type Eligibility = { label: EvidenceLabel; eligible: boolean; refusals: RuleRefusal[] }

/** How a row's runs match the plans that were registered before them. Counts are runs. */
export const rowRegistrationSchema = z.object({
  status: z.enum(['registered', 'unregistered', 'late', 'incomplete']),
  /** Runs that make the row. */
  runs: z.number().int(),
  /** Of those: not registered, or registered by another sender. */
  unregistered: z.number().int(),
  /** Late runs among them: an episode started, or ended without naming the registration, before it was received. */
  late: z.number().int(),
  /** Runs that the same senders registered for this row, and how many of them came in. */
  owed: z.number().int(),
  received: z.number().int(),
  /** Plans that the same sender registered by digest alone before this row's came in, and of which nothing came. */
  blind: z.number().int(),
  /**
   * Other plans that the same senders registered for a subject of this name and model, under other versions or settings,
   * of which not every run came in. They keep no row from being a claim; the row shows them. Absent in rows stored before.
   */
  abandoned: z.number().int().optional(),
  /** The same of subjects of other names, and of plans registered by digest alone; absent = none, or this server's own. */
  otherPlans: z.number().int().optional(),
  /** Runs that the same senders registered for it and that were removed, but for those that the row counted; absent = none. */
  withdrawn: z.number().int().optional(),
})
export type RowRegistration = z.infer<typeof rowRegistrationSchema>

/**
 * The state of evaluating an episode here. `browser`: a workflow whose stored state agrees, but not every criterion could
 * be judged without its page; with a `reason`, none could. Every `impossible` keeps its row from being a claim. `reason` is
 * a part of a sentence. `isUntouched`: the attempt left no work that could be judged.
 */
export type EvaluationState = { isModelSeen: boolean; isUntouched?: boolean } & (
  | { state: 'agreed' | 'pending'; reason: null }
  | { state: 'browser'; reason: string | null }
  | { state: 'disagreed' | 'impossible'; reason: string }
)

const count = z.number().int().nonnegative()

/** Of a row's scored episodes that ran elsewhere: what this server found when it judged their solutions again. */
export const evaluatedHereSchema = z.object({
  agreed: count,
  disagreed: count,
  pending: count,
  /** No answer can be had; `reason` says why. */
  impossible: count,
  /** The most frequent reason of the blocking episodes, or of those that rely on their sender. */
  reason: z.string().optional(),
})
export type EvaluatedHere = z.infer<typeof evaluatedHereSchema>
