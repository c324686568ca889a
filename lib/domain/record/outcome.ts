import { z } from 'zod'
import { instantSchema } from './names.ts'

/** Something a detector observed that no honest solution does; `code` is stable, `detail` is for people. */
export const tamperFindingSchema = z.object({
  code: z.string().max(80),
  detail: z.string().max(2000),
})

/** Mode of the measurement: only live and recorded-real can be ranked. */
export const measuredModeSchema = z.enum([
  ...(['live', 'recorded-real', 'mock', 'scaffold', 'dry-run', 'skip'] as const),
])
/** `reported`: measured by another program, which does not state its mode. */
export type MeasuredMode = z.infer<typeof measuredModeSchema>
export const modeSchema = z.enum([...measuredModeSchema.options, 'reported'])
export type Mode = z.infer<typeof modeSchema>

const voidCauseSchema = z.enum([
  /** The provider refused every call of the agent. */
  'never-answered',
  /** The agent ended, or was ended, without a call to its model. */
  'never-asked',
  /** The agent's own set-up commands failed. */
  'setup-failed',
  /** The provider refuses calls until a stated time. */
  'rate-limited',
  'disk-full',
  /** The task's own reference fails its tests here, so they say nothing about other work. */
  'reference-fails',
])

const budgetSchema = z.enum(['time', 'steps', 'tokens', 'cost', 'disk', 'processes'])

/**
 * Ending of an episode and its attribution; set once, by the first component to determine it. Only `solved` counts as
 * success.
 */
export const outcomeSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('solved'),
    /** Finished, then stopped: a budget ended the subject's conversation when its work already met the criteria. */
    budgetReached: z.object({ budget: budgetSchema, reason: z.string() }).optional(),
  }),
  z.object({ status: z.literal('unsolved'), reason: z.string() }),
  z.object({
    status: z.literal('out-of-budget'),
    // ts-bench has no limits of disk and processes; a full disk is an exhausted budget.
    budget: budgetSchema,
    reason: z.string(),
    /**
     * At a time limit, the agent's activity as observed by the gateway; absent = no gateway, or an envelope from before
     * it was recorded.
     */
    during: z.enum(['waiting', 'working']).optional(),
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
    /** Why the attempt could not be a measurement, if known more precisely than `fault`. */
    cause: voidCauseSchema.optional(),
    /** When the provider accepts calls again; the run pauses until then. */
    retryAt: instantSchema.optional(),
  }),
  z.object({ status: z.literal('cancelled'), reason: z.string() }),
])
export type Outcome = z.infer<typeof outcomeSchema>
export type OutcomeStatus = Outcome['status']

export const OUTCOME_STATUSES = outcomeSchema.options.map((option) => option.shape.status.value)
export const outcomeStatusSchema = z.enum(OUTCOME_STATUSES)

/** True if the episode is scored: void and cancelled are excluded. */
export function isScored(status: OutcomeStatus): boolean {
  return status !== 'void' && status !== 'cancelled'
}

/** The outcome's explanation in one sentence, for logs and pages. */
export function outcomeReason(outcome: Outcome): string {
  if (outcome.status === 'solved') {
    const { budgetReached } = outcome
    const met = 'The success criteria are met.'
    return budgetReached ? `${met} Finished, then stopped: ${budgetReached.reason}` : met
  }
  if (outcome.status === 'tampered') {
    return outcome.findings.map((finding) => `${finding.code}: ${finding.detail}`).join('; ')
  }
  return outcome.reason
}

export const verdictSchema = z.enum(['pass', 'fail', 'inconclusive'])
export type Verdict = z.infer<typeof verdictSchema>

/** One assertion of a contract with its expected and actual value; a tree, because contracts combine. */
export type Assertion = {
  kind: string
  label: string
  expected: string
  observed: string
  verdict: Verdict
  children: Assertion[]
}

const assertionFields = {
  kind: z.string().max(60),
  label: z.string().max(1000),
  expected: z.string().max(4000),
  observed: z.string().max(4000),
  verdict: verdictSchema,
}
const MAX_CHILDREN = 5000

export const assertionSchema: z.ZodType<Assertion> = z.object({
  ...assertionFields,
  get children() {
    return z.array(assertionSchema).max(MAX_CHILDREN)
  },
})

/** The same for trees of limited depth: unlike a recursive schema, it can be compiled. */
export function assertionOfLevels(levels: number): z.ZodType<Assertion> {
  const most = levels > 1 ? MAX_CHILDREN : 0
  const child: z.ZodType<Assertion> = levels > 1 ? assertionOfLevels(levels - 1) : z.never()
  return z.object({ ...assertionFields, children: z.array(child).max(most) })
}

/** Verdict of the contract about the final state, and how much of it was checked. */
export const contractResultSchema = z.object({
  verdict: verdictSchema,
  assertions: z.array(assertionSchema),
  expectedTests: z.number().int().nonnegative().nullable(),
  executedTests: z.number().int().nonnegative().nullable(),
  passedTests: z.number().int().nonnegative().nullable(),
  /**
   * The largest probability with which work that does nothing passes by guessing which of its tests were changed. Only
   * if tests run in the work's own process, and it passed them.
   */
  guess: z.number().positive().max(1).optional(),
})
export type ContractResult = z.infer<typeof contractResultSchema>

/** Why an episode was not solved: a description for people, never a score. */
export const failureCategorySchema = z.enum([
  'no-change',
  'type-error',
  'test-failure',
  'partial',
  'tampering',
  'planning',
  'navigation',
  'grounding',
  'extraction',
  'form-entry',
  'auth-state',
  'timeout',
  'budget',
  'refusal',
  'crash',
  'provider',
  'infrastructure',
  'harness',
  'cancelled',
])
export type FailureCategory = z.infer<typeof failureCategorySchema>
export type TamperFinding = z.infer<typeof tamperFindingSchema>
