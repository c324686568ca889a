import { z } from 'zod'
import {
  type FailureCategory,
  failureCategorySchema,
  type Rung,
  rungSchema,
  verifierSchema,
} from '../record/index.ts'

/** Maximum values in a distribution, so that a row's size does not depend on its number of episodes. */
export const MAX_QUANTILES = 33

/**
 * A sample, ascending: all values if there are few, otherwise equally spaced quantiles from minimum to maximum. It is
 * exact if it has `episodes` values.
 */
const distributionSchema = z.object({
  episodes: z.number().int().positive(),
  values: z.array(z.number().nonnegative()).min(1).max(MAX_QUANTILES),
})
export type Distribution = z.infer<typeof distributionSchema>

/**
 * Values of solved episodes only, because a fast failure is not a success. Null = nothing was solved, or some value is unknown.
 */
export const distributionsSchema = z.object({
  solvedMs: distributionSchema.nullable(),
  solvedTokens: distributionSchema.nullable(),
})
export type Distributions = z.infer<typeof distributionsSchema>

/** Number of unsolved scored episodes by kind; `other` = no kind was given. */
export const failuresSchema = z.partialRecord(
  z.union([failureCategorySchema, z.literal('other')]),
  z.number().int().positive(),
)
export type Failures = z.infer<typeof failuresSchema>

export type FailureKind = FailureCategory | 'other'

const count = z.number().int().nonnegative()
const known = z.number().nonnegative().nullable()
const spread = z.object({ p50: known, p95: known })

/** Number of times that each recovery step was the one that succeeded. */
export const rungCountsSchema = z.record(rungSchema, count)
export type RungCounts = Record<Rung, number>

/** Browser metrics of a row besides success, all diagnostic. Null = unknown, never 0. */
export const browserMetricsSchema = z.object({
  /** Scored episodes with a browser: the sample size of all these metrics. */
  episodes: count,
  connectMs: spread,
  /** Median time spent neither in the library nor in the app. */
  harnessMs: known,
  /**
   * Size of the results that the library returned to its caller: mean over the solved episodes, null unless known for
   * each.
   */
  resultTokensPerSolved: known,
  resultBytesPerSolved: known,
  /** Memory of the whole process tree and of the library's part: median of the episodes' peaks. */
  peakPssBytes: known,
  libraryPeakPssBytes: known,
  /** The library reported no error, and the success criteria failed. */
  falseSuccess: count,
  /** The library reported an error, and the success criteria passed. */
  successWithError: count,
  rungs: rungCountsSchema,
  /** Time from a fault to the library's first error, over the episodes with one. */
  detectMs: spread.extend({ episodes: count }),
})
export type BrowserMetrics = z.infer<typeof browserMetricsSchema>

/** One task's recoveries, in a row measured under faults. */
export const taskRecoverySchema = z.object({ rungs: rungCountsSchema, detectMs: known })
export type TaskRecovery = z.infer<typeof taskRecoverySchema>

/** Both grading results over the scored episodes of a row or a run; *solved* requires both. */
export const gradingMetricsSchema = z.object({
  /** Scored episodes. One whose solution was never graded, or with a tampering finding, passed neither. */
  scored: count,
  visiblePassed: count,
  /** Scored episodes on tasks that have a held-out transcript. */
  heldOutScored: count,
  /** Null = no task has a held-out transcript; graded by visible tests only. */
  heldOutPassed: count.nullable(),
  /** Tasks with a scored episode, and those of them that have a held-out transcript. */
  tasks: count,
  heldOutTasks: count,
  /** Sandboxes and programs that graded the solutions; null = the envelopes predate this record. */
  verifiers: z.array(
    z.object({
      sandbox: verifierSchema.shape.sandbox.nullable(),
      network: verifierSchema.shape.network.nullable(),
      digest: verifierSchema.shape.digest.nullable(),
      episodes: count,
    }),
  ),
})
export type GradingMetrics = z.infer<typeof gradingMetricsSchema>

export const cancelledAttemptsSchema = z.object({
  attempts: z.number().int(),
  countAsFailed: z.boolean(),
})

/** Other rows of the same name and model. */
export const siblingsSchema = z.object({
  own: z.number().int(),
  others: z.number().int(),
  /** Rows of the same account and version that differ only in settings, token or spelling; absent = none. */
  split: z.number().int().optional(),
  /** Rows of the same account that lack planned episodes; absent = none. */
  unfinished: z.number().int().optional(),
})

const rowCorrectionSchema = z.object({
  /** Sequence number of the ledger entry. */
  sequence: z.number().int().positive(),
  kind: z.enum(['remove', 'invalidate', 'rescore', 'resolve-findings']),
  /** The corrected run or episode. */
  target: z.string(),
  /** URL of the entry on this server. */
  path: z.string(),
})
export type RowCorrection = z.infer<typeof rowCorrectionSchema>

/** Corrections of the ledger in force for a row's episodes, and the rate that it would have without them. */
export const rowCorrectionsSchema = z.object({
  count: z.number().int().positive(),
  /** Oldest first, at most 20. */
  entries: z.array(rowCorrectionSchema),
  /** `rate` null = nothing was scored. */
  without: z.object({ rate: z.number().nullable(), attempts: z.number().int().nonnegative() }),
})

/**
 * A published rate with its interval and sample size. Rates and bounds are in 0–1; null = not available. `low` and
 * `high` generalise to tasks like these: the tasks are treated as a sample.
 */
export const rateSchema = z.object({
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Method of the interval, as named on the methodology page. */
  method: z.string(),
  /** Interval for repetitions of these same tasks only. Absent in rows stored before it was added. */
  theseTasks: z.object({ low: z.number(), high: z.number(), method: z.string() }).optional(),
  /** Variance of one repetition within a task, and of the true task means; null = too few repetitions to separate them. */
  variance: z.object({ within: z.number(), between: z.number() }).nullable().optional(),
  tasks: z.number().int(),
  /** Scored episodes: neither void nor cancelled. */
  attempts: z.number().int(),
  voids: z.number().int(),
})
export type Rate = z.infer<typeof rateSchema>
