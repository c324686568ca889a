import { z } from 'zod'
import { tamperFindingSchema } from './tamper-finding.ts'

/** How an episode ended and whose fault it was; set once, by whoever knew first. Only `solved` counts as success. */
export const outcomeSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('solved') }),
  z.object({ status: z.literal('unsolved'), reason: z.string() }),
  z.object({
    status: z.literal('out-of-budget'),
    // `disk` and `processes` are ours: the seed's harness has no such limits, and a full disk is a budget spent.
    budget: z.enum(['time', 'steps', 'tokens', 'cost', 'disk', 'processes']),
    reason: z.string(),
  }),
  z.object({
    status: z.literal('subject-crashed'),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    reason: z.string(),
  }),
  z.object({ status: z.literal('tampered'), findings: z.array(tamperFindingSchema).min(1) }),
  z.object({
    status: z.literal('void'),
    fault: z.enum(['harness', 'infrastructure', 'provider']),
    reason: z.string(),
  }),
  z.object({ status: z.literal('cancelled'), reason: z.string() }),
])
export type Outcome = z.infer<typeof outcomeSchema>
export type OutcomeStatus = Outcome['status']

export const OUTCOME_STATUSES = outcomeSchema.options.map((option) => option.shape.status.value)
export const outcomeStatusSchema = z.enum(OUTCOME_STATUSES)

/** True when the episode counts for the subject: void and cancelled count for nobody. */
export function isScored(status: OutcomeStatus): boolean {
  return status !== 'void' && status !== 'cancelled'
}

/** The outcome's explanation in one sentence, for logs and pages. */
export function outcomeReason(outcome: Outcome): string {
  if (outcome.status === 'solved') return 'The final contract passed.'
  if (outcome.status === 'tampered') {
    return outcome.findings.map((finding) => `${finding.code}: ${finding.detail}`).join('; ')
  }
  return outcome.reason
}
