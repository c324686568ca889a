import { z } from 'zod'
import {
  evaluatedHereSchema,
  evidenceLabelSchema,
  rowRegistrationSchema,
  ruleRefusalSchema,
} from '../eligibility/index.ts'
import { voucherSchema } from '../ledger/index.ts'
import {
  canonicalJson,
  difficultySchema,
  digestSchema,
  modeSchema,
  releasedSchema,
  rowSettingsSchema,
  subjectSchema,
} from '../record/index.ts'
import { thresholdsSchema } from '../tasks/index.ts'
import { browserMetricsSchema, gradingMetricsSchema, taskRecoverySchema } from './row-metrics.ts'

/**
 * A public number with its doubt and its denominator. Rates and bounds lie in 0–1; null = cannot be said. `low` and
 * `high` speak of tasks like these: the tasks are taken for a sample.
 */
const rateSchema = z.object({
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** How the interval was made, in words that stand in the methodology page. */
  method: z.string(),
  /** Interval for these tasks alone, tried again: chance of the repetitions only. Absent in rows kept before. */
  theseTasks: z.object({ low: z.number(), high: z.number(), method: z.string() }).optional(),
  /** Of one repetition within a task, and of true task means; null = repetitions cannot tell them apart. */
  variance: z.object({ within: z.number(), between: z.number() }).nullable().optional(),
  tasks: z.number().int(),
  /** Scored episodes: neither void nor cancelled. */
  attempts: z.number().int(),
  voids: z.number().int(),
})
export type Rate = z.infer<typeof rateSchema>

const RANK_POOLS = ['primary/llm', 'primary/scripted', 'stress/llm', 'stress/scripted'] as const

/** Claims that compete with each other: plain or under faults, driven by a model or by a script. */
export const rankPoolSchema = z.enum(RANK_POOLS)
export type RankPool = z.infer<typeof rankPoolSchema>

/** A task's part of a row. */
const rowTaskSchema = z.object({
  taskId: z.string(),
  solved: z.number().int(),
  scored: z.number().int(),
  voids: z.number().int(),
  /** Sums over the scored episodes, or over the solved ones where it says so; null = not known of every one. */
  spent: z
    .object({
      subjectMs: z.number().nullable(),
      tokens: z.number().nullable(),
      costMicroUsd: z.number().nullable(),
      solvedCostMicroUsd: z.number().nullable(),
    })
    .optional(),
  /** Of a stress row's scored episodes: faults that fired, and those after which the same final contract passed. */
  faults: z.object({ fired: z.number().int(), recovered: z.number().int() }).optional(),
  /** How a browser library got over what went wrong; absent where nothing did. */
  recovery: taskRecoverySchema.optional(),
})
export type RowTask = z.infer<typeof rowTaskSchema>

const withoutOneSchema = z.object({
  rate: z.number(),
  /** The task or category that was left out; `alike` others give exactly the same rate. */
  without: z.string(),
  alike: z.number().int(),
})
const leaveOneOutSchema = z.object({
  parts: z.number().int(),
  least: withoutOneSchema,
  most: withoutOneSchema,
})

/** Something of which a row has several: `verifier`, `kernel`, `timeoutMs`. */
const mixedSchema = z.object({ what: z.string(), values: z.array(z.string()) })
export type Mixed = z.infer<typeof mixedSchema>

/** An aggregate on the board: all counted episodes of one subject under one set of settings from one sender on one suite digest. */
export const boardRowSchema = z.object({
  rowId: z.string(),
  /** Ids under which the row is known besides, of other settings that are the same to a subject; absent = none. */
  aliases: z.array(z.string()).optional(),
  suiteId: z.string(),
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: rowSettingsSchema,
  modes: z.array(modeSchema),
  label: evidenceLabelSchema,
  refusals: z.array(ruleRefusalSchema),
  /** Whether a language model drives the subject: such rows are never ranked together with scripted ones. */
  driven: z.enum(['llm', 'scripted']),
  /**
   * Best and worst rank the evidence allows among the claims of the row's pool, for all its rows at once: one behind the
   * rows that are significantly better, one before those that are significantly worse. Two rows share a letter exactly
   * when they cannot be told apart. `tieGroup`: runs of rows of which no two differ, which share a `place`; rows of
   * different groups may still share a letter. Null = not ranked, because the row is no claim.
   */
  rank: z
    .object({
      place: z.number().int(),
      low: z.number().int(),
      high: z.number().int(),
      tieGroup: z.number().int(),
      /** `AB`; letters beyond Z carry a number, `A2`. Absent in rows that were stored before there were letters. */
      letters: z.string().optional(),
    })
    .nullable(),
  success: rateSchema,
  /** Repetitions a task really has: the smallest and the largest number of scored episodes. */
  repetitions: z.object({ least: z.number().int(), most: z.number().int() }),
  plannedEpisodes: z.number().int(),
  /**
   * Only of rows that were topped up or are unfinished: `stages` plans add up to the row, and the last one has `states`
   * planned episodes while it is unfinished (1 = finished). Interval and pair tests are always-valid: made at a level
   * that pays for every look.
   */
  looks: z
    .object({
      kind: z.literal('always-valid'),
      stages: z.number().int().positive(),
      states: z.number().int().positive(),
      /** Confidence at which this look's interval was made, so that all looks together hold the usual one. */
      confidence: z.number(),
      /** Episodes of the plan that came first: what was promised before anything was seen. */
      pinnedEpisodes: z.number().int(),
      reason: z.string(),
    })
    .optional(),
  /**
   * pass^k for k = 1 … the fewest repetitions of any task: the chance that k tries of a task all succeed. Null = some
   * task has one repetition only, or nothing was scored; absent in rows that were kept before.
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
  /** The range of the rate when one task, or one category of tasks, is left out; null = there is but one. */
  leaveOneOut: z
    .object({ task: leaveOneOutSchema.nullable(), category: leaveOneOutSchema.nullable() })
    .optional(),
  /** Void attempts behind the row, also those that were tried again; absent in rows that were kept before. */
  voidAttempts: z.number().int().optional(),
  /** The rate with void attempts, also those tried again, left out, all failed, all solved; null when nothing was scored. */
  voidSensitivity: z
    .object({
      excluded: z.number(),
      allFailed: z.number(),
      allSolved: z.number(),
      voids: z.number().int(),
    })
    .nullable()
    .optional(),
  /** Over solved episodes only: a fast failure is not success. */
  solvedMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
  costPerSuccessMicroUsd: z.number().nullable(),
  /** Bootstrap interval of the cost per success; `highMicroUsd` null = without bound. Null = cost unknown or no success. */
  costPerSuccessInterval: z
    .object({ lowMicroUsd: z.number(), highMicroUsd: z.number().nullable(), method: z.string() })
    .nullable()
    .optional(),
  tokensPerSuccess: z.number().nullable(),
  /** Over all scored episodes, failures included: diagnostic only, since a fast or cheap failure is no success. */
  raw: z.object({
    subjectMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    tokensPerEpisode: z.number().nullable(),
    costPerEpisodeMicroUsd: z.number().nullable(),
    stepsPerEpisode: z.number().nullable(),
  }),
  /** Of a stress row's scored episodes: faults that fired, and those after which the same final contract passed. */
  recovery: z.object({ fired: z.number().int(), recovered: z.number().int() }).nullable(),
  /** Absent unless a browser was part of the episodes. */
  browser: browserMetricsSchema.optional(),
  /** Visible tests and held-out transcript apart; absent unless solutions were graded by tests. */
  grading: gradingMetricsSchema.optional(),
  /** Of episodes that ran elsewhere: what judging their stored solutions here gave; absent where all ran here. */
  evaluatedHere: evaluatedHereSchema.optional(),
  provenance: z.enum(['manual', 'token', 'oidc', 'local']),
  /** Absent in rows that were stored before plans could be registered, and where there is no ledger. */
  registration: rowRegistrationSchema.optional(),
  /** Who answers for it; null = this server ran it, absent = it was received before senders were recorded. */
  voucher: voucherSchema.nullable().optional(),
  /** Other rows of the same name and model on this board, plain or under the same fault: `own` of the same sender, `others` of anyone else. */
  siblings: z.object({ own: z.number().int(), others: z.number().int() }).optional(),
  /** What differs between its episodes: machines, systems, compilers, limits; absent = nothing does. */
  mixed: z.array(mixedSchema).optional(),
  /** The policies under which its plans were frozen, ascending. */
  planPolicies: z.array(z.number().int()).optional(),
  tasks: z.array(rowTaskSchema),
  runIds: z.array(z.string()),
  firstStartedAt: z.string(),
  lastStartedAt: z.string(),
})
export type BoardRow = z.infer<typeof boardRowSchema>

/** One suite's leaderboard, as the page and `/api/v1/leaderboard` show it. */
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
        /** Absent = not known. */
        released: releasedSchema.optional(),
      }),
    ),
  }),
  policyVersion: z.number().int(),
  /** The gate's thresholds on this board: the policy's, or the suite's where they are stricter. */
  thresholds: thresholdsSchema,
  /**
   * What places, letters and rank sets rest on, for each pool of claims: enough to compute them again. `resamples`
   * random sign patterns test a pair whose patterns cannot all be counted.
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

/** True when a link, a badge or a correction that names this id is about the row. */
export function isRow(
  { rowId, aliases = [] }: Pick<BoardRow, 'rowId' | 'aliases'>,
  id: string,
): boolean {
  return rowId === id || aliases.includes(id)
}

/** The row of this id; one that has it as its own comes before those that are only known by it besides. */
export function pickRow<Row extends Pick<BoardRow, 'rowId' | 'aliases'>>(
  rows: readonly Row[],
  id: string,
): Row | undefined {
  return rows.find(({ rowId }) => rowId === id) ?? rows.find((row) => isRow(row, id))
}

/** A board's bytes: what is kept, what `/api/v1/leaderboard` serves, what a rebuild has to give. */
export function serializeBoard(board: Board): string {
  return canonicalJson(boardSchema.parse(board))
}
