import { z } from 'zod'
import { instantSchema } from './names.ts'

/** One thing a detector saw that no honest solution does; `code` is stable, `detail` is for people. */
export const tamperFindingSchema = z.object({
  code: z.string().max(80),
  detail: z.string().max(2000),
})

/** How real the measurement is: only live and recorded-real can be ranked. */
export const measuredModeSchema = z.enum([
  ...(['live', 'recorded-real', 'mock', 'scaffold', 'dry-run', 'skip'] as const),
])
/** `reported`: another program measured it, and does not say how real that was. */
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
  /** The task's own reference does not pass its tests here today, so that they say nothing of any work. */
  'reference-fails',
])

const budgetSchema = z.enum(['time', 'steps', 'tokens', 'cost', 'disk', 'processes'])

/** How an episode ended and its attribution; set once, by the first component to determine it. Only `solved` counts as success. */
export const outcomeSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('solved'),
    /** Finished, then stopped: a budget ended the subject's conversation when its work already met the criteria. */
    budgetReached: z.object({ budget: budgetSchema, reason: z.string() }).optional(),
  }),
  z.object({ status: z.literal('unsolved'), reason: z.string() }),
  z.object({
    status: z.literal('out-of-budget'),
    // ts-bench has no limits of disk and processes; a full disk is a budget spent.
    budget: budgetSchema,
    reason: z.string(),
    /** At a time limit, what the gateway saw the agent do; absent = no gateway, or an envelope from before it was recorded. */
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
    /** Why the attempt could not be a measurement, where that is known more exactly than `fault`. */
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

/** True when the episode is scored: void and cancelled are excluded. */
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

/** One assertion of a contract with what it wanted and saw; a tree, because contracts combine. */
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

/** The same for trees of at most so many levels: unlike a schema that contains itself, it can be compiled. */
export function assertionOfLevels(levels: number): z.ZodType<Assertion> {
  const most = levels > 1 ? MAX_CHILDREN : 0
  const child: z.ZodType<Assertion> = levels > 1 ? assertionOfLevels(levels - 1) : z.never()
  return z.object({ ...assertionFields, children: z.array(child).max(most) })
}

/** What the contract said about the final state, and how much of it was checked. */
export const contractResultSchema = z.object({
  verdict: verdictSchema,
  assertions: z.array(assertionSchema),
  expectedTests: z.number().int().nonnegative().nullable(),
  executedTests: z.number().int().nonnegative().nullable(),
  passedTests: z.number().int().nonnegative().nullable(),
  /**
   * The largest chance with which work that does nothing of the task passes by guessing which of its tests were changed. Only
   * where tests run in the work's own process, and it passed them.
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
