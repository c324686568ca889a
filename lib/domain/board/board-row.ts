import { z } from 'zod'
import { digestSchema } from '../digest.ts'
import { modeSchema } from '../episode.ts'
import { settingsSchema } from '../plan.ts'
import { subjectSchema } from '../subject.ts'
import { difficultySchema } from '../task.ts'

/** A public number with its doubt and its denominator. Rates and bounds lie in 0–1; null = cannot be said. */
export const rateSchema = z.object({
  rate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** How the interval was made, in words that stand in the methodology page. */
  method: z.string(),
  tasks: z.number().int(),
  /** Scored episodes: neither void nor cancelled. */
  attempts: z.number().int(),
  voids: z.number().int(),
})
export type Rate = z.infer<typeof rateSchema>

/** primary = a claim; the others say why it is none (evidence.md). */
export const evidenceLabelSchema = z.enum(['primary', 'stress', 'smoke', 'scaffold', 'diagnostic'])
export type EvidenceLabel = z.infer<typeof evidenceLabelSchema>

export const refusalSchema = z.object({
  /** Stable: mode, postcondition, same-contract, pins, samples, … */
  code: z.string(),
  /** What is wrong, in one sentence. */
  reason: z.string(),
  /** What would mend it, in one sentence. */
  remedy: z.string(),
})
export type Refusal = z.infer<typeof refusalSchema>

/** A task's part of a row. */
export const rowTaskSchema = z.object({
  taskId: z.string(),
  solved: z.number().int(),
  scored: z.number().int(),
  voids: z.number().int(),
})
export type RowTask = z.infer<typeof rowTaskSchema>

/** An aggregate on the board: all counted episodes of one subject under one set of settings on one suite digest. */
export const boardRowSchema = z.object({
  rowId: z.string(),
  suiteId: z.string(),
  suiteDigest: digestSchema,
  subject: subjectSchema,
  settings: settingsSchema,
  modes: z.array(modeSchema),
  label: evidenceLabelSchema,
  refusals: z.array(refusalSchema),
  /** Best and worst rank the evidence allows; rows that cannot be told apart share a rank. Null = not ranked. */
  rank: z
    .object({
      place: z.number().int(),
      low: z.number().int(),
      high: z.number().int(),
      tieGroup: z.number().int(),
    })
    .nullable(),
  success: rateSchema,
  /** Repetitions a task really has: the smallest and the largest number of scored episodes. */
  repetitions: z.object({ least: z.number().int(), most: z.number().int() }),
  plannedEpisodes: z.number().int(),
  /** The rate with void episodes left out, all failed, all solved; null when nothing was scored. */
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
  provenance: z.enum(['manual', 'token', 'oidc', 'local']),
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
      }),
    ),
  }),
  policyVersion: z.number().int(),
  /** What places, tie groups and rank intervals rest on: enough to compute them again. */
  ranking: z
    .object({
      alpha: z.number(),
      seed: z.number().int(),
      resamples: z.number().int(),
      pairs: z.number().int(),
      method: z.string(),
    })
    .optional(),
  rows: z.array(boardRowSchema),
})
export type Board = z.infer<typeof boardSchema>
