import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import {
  evaluatedHereSchema,
  evidenceLabelSchema,
  rowRegistrationSchema,
  ruleRefusalSchema,
} from '../eligibility/index.ts'
import { voucherSchema } from '../ledger/index.ts'
import { difficultySchema, modeSchema, releasedSchema, subjectSchema } from '../record/index.ts'
import { rowSettingsSchema } from '../settings/index.ts'
import { thresholdsSchema } from '../tasks/index.ts'
import { runStopSchema, stopDecisionSchema } from './decide-stop.ts'
import { modelSharesSchema } from './model-shares.ts'
import {
  browserMetricsSchema,
  cancelledAttemptsSchema,
  distributionsSchema,
  failuresSchema,
  gradingMetricsSchema,
  rateSchema,
  rowCorrectionsSchema,
  siblingsSchema,
  taskRecoverySchema,
} from './row-measures.ts'

const RANK_POOLS = [
  'primary/llm',
  'primary/scripted',
  'stress/llm',
  'stress/scripted',
  'escrow/llm',
] as const

/**
 * Pools of ranked rows that are compared with each other: with or without faults, model-driven or scripted, or measured
 * by another harness.
 */
export const rankPoolSchema = z.enum(RANK_POOLS)
export type RankPool = z.infer<typeof rankPoolSchema>

/** A row's results on one task. */
const rowTaskSchema = z.object({
  taskId: z.string(),
  /** Tasks of one family are not independent; absent = the task is a family of its own. */
  family: z.string().optional(),
  solved: z.number().int(),
  scored: z.number().int(),
  /** Excluded episodes; `retriedVoids` are further void attempts that were retried or replaced. */
  voids: z.number().int(),
  retriedVoids: z.number().int().optional(),
  /** Sums over the scored episodes, or over the solved ones if the name says so; null = unknown for at least one. */
  spent: z
    .object({
      subjectMs: z.number().nullable(),
      tokens: z.number().nullable(),
      costMicroUsd: z.number().nullable(),
      solvedCostMicroUsd: z.number().nullable(),
      /** Median of the subject's own time in the solved episodes. Absent in rows stored before it was added. */
      solvedP50Ms: z.number().nullable().optional(),
    })
    .optional(),
  /** For a stress row's scored episodes: faults that fired, and those after which the same final contract passed. */
  faults: z.object({ fired: z.number().int(), recovered: z.number().int() }).optional(),
  /** Recoveries of a browser library from failures; absent = nothing failed. */
  recovery: taskRecoverySchema.optional(),
})
export type RowTask = z.infer<typeof rowTaskSchema>

const withoutOneSchema = z.object({
  rate: z.number(),
  /** The omitted task or category; `alike` others give exactly the same rate. */
  without: z.string(),
  alike: z.number().int(),
})
const leaveOneOutSchema = z.object({
  parts: z.number().int(),
  least: withoutOneSchema,
  most: withoutOneSchema,
})

const count = z.number().int().nonnegative()

/** A property with several values within one row: `verifier`, `kernel`, `timeoutMs`. */
const mixedSchema = z.object({ what: z.string(), values: z.array(z.string()) })
export type Mixed = z.infer<typeof mixedSchema>

/** An aggregate on the board: all counted episodes of one subject under one set of settings from one sender on one suite digest. */
export const boardRowSchema = z.object({
  rowId: z.string(),
  /** Other ids of the row, from settings that are equivalent for the subject; absent = none. */
  aliases: z.array(z.string()).optional(),
  suiteId: z.string(),
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: rowSettingsSchema,
  modes: z.array(modeSchema),
  label: evidenceLabelSchema,
  refusals: z.array(ruleRefusalSchema),
  /** Driven by a language model or a script; model-driven rows are never ranked together with scripted ones. */
  driven: z.enum(['llm', 'scripted']),
  /**
   * Simultaneous rank set within the row's pool: the best rank is one below the significantly better rows, the worst
   * one above the significantly worse rows. Two rows share a letter exactly when their difference is not significant.
   * `tieGroup`: consecutive rows without a significant difference between any two, which share a `place`; rows of
   * different groups may still share a letter. Null = the row is not ranked.
   */
  rank: z
    .object({
      place: z.number().int(),
      low: z.number().int(),
      high: z.number().int(),
      tieGroup: z.number().int(),
      /** `AB`; letters after Z have a number, `A2`. Absent in rows stored before letters were added. */
      letters: z.string().optional(),
    })
    .nullable(),
  success: rateSchema,
  /** Actual repetitions per task: the smallest and the largest number of scored episodes. */
  repetitions: z.object({ least: z.number().int(), most: z.number().int() }),
  plannedEpisodes: z.number().int(),
  /** The decision by which its plan stopped; absent = it has none, or has not stopped by it. */
  stop: stopDecisionSchema.optional(),
  /** The decision of each of its runs that stopped by one. */
  stops: z.array(runStopSchema).optional(),
  /**
   * Only for rows that were topped up or are unfinished: `stages` plans add up to the row, and the last one has
   * `states` planned episodes while it is unfinished (1 = finished). Interval and pair tests are always-valid: their
   * level is corrected for every interim analysis.
   */
  looks: z
    .object({
      kind: z.literal('always-valid'),
      stages: z.number().int().positive(),
      states: z.number().int().positive(),
      /** Looks that its plan registered, at each of which it may stop; absent = none. */
      planned: z.object({ looks: count.positive(), plan: digestSchema }).optional(),
      /** Confidence level of this interim analysis, chosen so that all of them together keep the usual level. */
      confidence: z.number(),
      /** Episodes of the first plan, fixed before any result was known. */
      pinnedEpisodes: z.number().int(),
      reason: z.string(),
    })
    .optional(),
  /**
   * pass^k for k = 1 … the smallest number of repetitions of any task: the probability that k attempts of a task all
   * succeed. Null = some task has one repetition only, or nothing was scored; absent in rows stored before it was
   * added.
   */
  reliability: z
    .object({
      points: z.array(
        z.object({ k: z.number().int(), rate: z.number(), low: z.number(), high: z.number() }),
      ),
      method: z.string(),
    })
    .nullable()
    .optional(),
  /** Range of the rate with one task, or one category of tasks, left out; null = there is only one. */
  leaveOneOut: z
    .object({ task: leaveOneOutSchema.nullable(), category: leaveOneOutSchema.nullable() })
    .optional(),
  /** Void attempts of the row, including retried ones; absent in rows stored before it was added. */
  voidAttempts: z.number().int().optional(),
  /** Planned episodes without an attempt that a top-up replaced; absent = none. */
  unsentSlots: z.number().int().optional(),
  /**
   * Attempts that were cancelled and run again: excluded or, on this server, counted as failed above the limit. Absent
   * = none.
   */
  cancelledAttempts: cancelledAttemptsSchema.optional(),
  /**
   * The rate with all void attempts, including retried ones, left out, counted as failed, counted as solved; null =
   * nothing was scored.
   */
  voidSensitivity: z
    .object({
      excluded: z.number(),
      allFailed: z.number(),
      allSolved: z.number(),
      voids: z.number().int(),
    })
    .nullable()
    .optional(),
  /**
   * Scored episodes with `overallSuccess`: solved by a subject that exited with 0; `unknown` = the exit was not reported.
   * Absent in rows stored before it was added.
   */
  overall: z.object({ succeeded: count, unknown: count, scored: count }).optional(),
  /** Over solved episodes only: a fast failure is not a success. */
  solvedMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  costPerSuccessMicroUsd: z.number().nullable(),
  /** Bootstrap interval of the cost per success; `highMicroUsd` null = unbounded. Null = cost unknown or no success. */
  costPerSuccessInterval: z
    .object({ lowMicroUsd: z.number(), highMicroUsd: z.number().nullable(), method: z.string() })
    .nullable()
    .optional(),
  /** Prices of the model as stated by users, in the format of plans, sorted; absent = none was given. */
  givenPrices: z.array(z.string()).optional(),
  /**
   * Each model's share if others than the pinned one responded, largest first: of the tokens, or of the calls if tokens
   * are unknown. `other` = not declared in the plan. Absent if only the pinned model responded.
   */
  modelShares: modelSharesSchema.optional(),
  /** Model calls whose stated tokens contradict the number of bytes at the gateway; absent = none. */
  implausibleUsage: z
    .object({ calls: z.number().int().positive(), episodes: z.number().int().positive() })
    .optional(),
  tokensPerSuccess: z.number().nullable(),
  /** Over all scored episodes, failures included: diagnostic only, since a fast or cheap failure is not a success. */
  raw: z.object({
    subjectMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    tokensPerEpisode: z.number().nullable(),
    costPerEpisodeMicroUsd: z.number().nullable(),
    stepsPerEpisode: z.number().nullable(),
  }),
  /** Chart data of the solved episodes, and of the others; both absent in rows stored before they were added. */
  distributions: distributionsSchema.optional(),
  failures: failuresSchema.optional(),
  /** For a stress row's scored episodes: faults that fired, and those after which the same final contract passed. */
  recovery: z.object({ fired: z.number().int(), recovered: z.number().int() }).nullable(),
  /** Absent if no browser took part. */
  browser: browserMetricsSchema.optional(),
  /** Visible tests and held-out transcript, counted apart; absent if no solutions were graded by tests. */
  grading: gradingMetricsSchema.optional(),
  /**
   * Number of scored episodes in which the arm's content was offered to the model and used; `known` = those in which
   * this was observable. Absent for rows without an arm, and for arms without observable content.
   */
  activation: z
    .object({
      episodes: z.number().int(),
      offered: z.object({ yes: z.number().int(), known: z.number().int() }),
      used: z.object({ yes: z.number().int(), known: z.number().int() }),
    })
    .optional(),
  /** The reviewer's entry of the ledger about the row's own library; absent = none. */
  acceptedLibrary: z.object({ sequence: count, at: z.string(), reason: z.string() }).optional(),
  corrections: rowCorrectionsSchema.optional(),
  /**
   * Families of its scored tasks, which are the `unit` of its interval and tests, and the largest one with its share of
   * the tasks (0–1); absent = no two tasks share a family.
   */
  families: z
    .object({
      count: count.positive(),
      unit: z.enum(['task', 'family']),
      largest: z.string(),
      share: z.number(),
    })
    .optional(),
  /** Rounds of repetitions whose rates (0–1) differ by more than chance, with p below 0.01; absent = they do not. */
  shock: z
    .object({
      rounds: count.positive(),
      lowest: z.number(),
      highest: z.number(),
      p: z.number(),
    })
    .optional(),
  /** Content of the row's arm; absent for rows without an arm, and for an arm without content. */
  armParts: z.array(z.string()).optional(),
  /** Evaluations of uploaded solutions on this server; absent if all episodes ran here. */
  evaluatedHere: evaluatedHereSchema.optional(),
  provenance: z.enum(['manual', 'token', 'oidc', 'local']),
  /** Absent in rows stored before registration was added, and without a ledger. */
  registration: rowRegistrationSchema.optional(),
  /** The sender; null = run on this server, absent = received before senders were recorded. */
  voucher: voucherSchema.nullable().optional(),
  /**
   * Other rows of the same name and model on this board, plain or under the same fault: `own` of the same sender or
   * account, `others` of other senders.
   */
  siblings: siblingsSchema.optional(),
  /** Differences between its episodes: machines, systems, compilers, limits, prices; absent = none. */
  mixed: z.array(mixedSchema).optional(),
  /** Policy versions under which its plans were frozen, ascending. */
  planPolicies: z.array(z.number().int()).optional(),
  tasks: z.array(rowTaskSchema),
  runIds: z.array(z.string()),
  firstStartedAt: z.string(),
  lastStartedAt: z.string(),
})
export type BoardRow = z.infer<typeof boardRowSchema>

/** Progress of one arm of a run; each slot counts by its last attempt. */
export const armCountsSchema = z.object({
  arm: z.string(),
  planned: count,
  /** Sealed attempts, including those that were retried. */
  attempts: count,
  scored: count,
  solved: count,
  /** Slots whose last attempt is excluded from scoring. */
  voids: count,
  /** As in a row of the board, over the scored episodes of this run. */
  activation: boardRowSchema.shape.activation,
})
export type ArmCounts = z.infer<typeof armCountsSchema>

export const boardSchema = z.object({
  schemaVersion: z.literal(1),
  suite: z.object({
    suiteId: z.string(),
    title: z.string(),
    description: z.string(),
    digest: digestSchema,
    tasks: z.array(
      z.object({
        taskId: z.string(),
        title: z.string(),
        category: z.string(),
        difficulty: difficultySchema,
        /** Absent = unknown. */
        released: releasedSchema.optional(),
      }),
    ),
  }),
  policyVersion: z.number().int(),
  /** Thresholds of the evidence rules on this board: the policy's, or the suite's where they are stricter. */
  thresholds: thresholdsSchema,
  /**
   * Parameters of places, letters and rank sets of each pool, enough to recompute them. `seed` and `resamples` are 0
   * because every sign pattern is counted.
   */
  rankings: z.array(
    z.object({
      pool: rankPoolSchema,
      rows: z.number().int(),
      alpha: z.number(),
      seed: z.number().int(),
      resamples: z.number().int(),
      pairs: z.number().int(),
      method: z.string(),
    }),
  ),
  rows: z.array(boardRowSchema),
})
export type Board = z.infer<typeof boardSchema>
