import { z } from 'zod'
import { comparisonViewSchema } from '../compare/index.ts'
import { ruleRefusalSchema } from '../eligibility/index.ts'

/** A value per success with its 95 % interval; `high` null = unbounded. */
const measuredSchema = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number().nullable(),
})
export type Measured = z.infer<typeof measuredSchema>

/** One kind of spending, failures included, per success; null = unknown, for the given `reason`. */
const spendingSchema = z.object({
  baseline: measuredSchema.nullable(),
  candidate: measuredSchema.nullable(),
  /** Candidate divided by baseline over their common tasks. */
  ratio: measuredSchema.nullable(),
  reason: z.string().nullable(),
})
export type Spending = z.infer<typeof spendingSchema>

const decideSchema = z.object({
  difference: z.number(),
  more: z.object({ repetitions: z.number().int(), episodes: z.number().int() }).nullable(),
  tasks: z.number().int().nullable(),
  text: z.string(),
})

/** The candidate is `a` of the comparison's only pair, the baseline `b`: a positive difference favours the candidate. */
const comparedPairSchema = z.object({
  ok: z.literal(true),
  comparison: comparisonViewSchema,
  /** Per success: micro-dollars, tokens, milliseconds of the subject's own time. */
  spending: z.object({ cost: spendingSchema, tokens: spendingSchema, time: spendingSchema }),
  /** Unmet evidence rules of either row. */
  refusals: z.array(ruleRefusalSchema.extend({ row: z.string() })),
  /**
   * Machines, systems and verifiers that differ between the two, and what is missing on one side: one sentence each.
   */
  notes: z.array(z.string()),
  /** Samples that would settle an undecided comparison. */
  decide: decideSchema.nullable(),
  /** The whole interval is above minus `SMALL_DIFFERENCE`: the candidate is at most that much worse. */
  isNoWorse: z.boolean(),
})
export type ChangedPair = z.infer<typeof comparedPairSchema>

const refusedPairSchema = z.object({
  ok: z.literal(false),
  baseline: z.string(),
  candidate: z.string(),
  code: z.string(),
  reason: z.string(),
  remedy: z.string(),
})

const sideSchema = z.object({ name: z.string(), runIds: z.array(z.string()) })

export const CHANGE_VERDICTS = [
  'better',
  'worse',
  'no-larger-than',
  'cannot-tell',
  'not-comparable',
] as const

/** Two sets of results side by side, as printed by `proofboard compare --format json`. */
export const changeReportSchema = z.object({
  schemaVersion: z.literal(1),
  kind: z.literal('proofboard-comparison'),
  baseline: sideSchema,
  candidate: sideSchema,
  /** Over all pairs: worse if any is, better if one is and none is worse or undecided. */
  verdict: z.enum(CHANGE_VERDICTS),
  pairs: z.array(z.discriminatedUnion('ok', [comparedPairSchema, refusedPairSchema])),
  /** Entries without a counterpart on the other side. */
  unmatched: z.object({ baseline: z.array(z.string()), candidate: z.array(z.string()) }),
})
export type ChangeReport = z.infer<typeof changeReportSchema>
