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
