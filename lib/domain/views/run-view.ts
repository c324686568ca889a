import { z } from 'zod'
import { boardRowSchema } from '../board/board-row.ts'
import { provenanceSchema } from '../board/episode-fact.ts'
import { gradingFiguresSchema } from '../board/grading-figures.ts'
import { verdictSchema } from '../contract.ts'
import { modeSchema } from '../episode.ts'
import { failureCategorySchema } from '../failure-category.ts'
import { instantSchema } from '../names.ts'
import { outcomeStatusSchema } from '../outcome.ts'
import { planSchema } from '../plan.ts'
import { subjectSchema } from '../subject.ts'

export const RUN_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

const count = z.number().int().nonnegative()

/** A run in a list, or a job that has no frozen plan yet (then `runId` is null). */
export const runSummarySchema = z.object({
  jobId: z.string().nullable(),
  runId: z.string().nullable(),
  suiteId: z.string(),
  subjectLabel: z.string(),
  status: z.enum(RUN_STATUSES),
  /** What stopped it, in one sentence; null unless it failed or was cancelled. */
  reason: z.string().nullable(),
  planned: count,
  sealed: count,
  solved: count,
  voids: count,
  /** Every void attempt, also those whose slot was tried again. */
  voidAttempts: count,
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
})
export type RunSummary = z.infer<typeof runSummarySchema>

/** One attempt as the episodes matrix shows it. */
export const episodeCellSchema = z.object({
  episodeId: z.string(),
  taskId: z.string(),
  repetition: z.number().int().positive(),
  attempt: z.number().int().positive(),
  status: outcomeStatusSchema,
  failureCategory: failureCategorySchema.nullable(),
  totalMs: z.number().nonnegative().nullable(),
})
export type EpisodeCell = z.infer<typeof episodeCellSchema>

export const runViewSchema = runSummarySchema.extend({
  runId: z.string(),
  plan: planSchema,
  provenance: provenanceSchema,
  episodes: z.array(episodeCellSchema),
  /** Visible tests and held-out transcript apart, over the last attempts; null = nothing was graded by tests. */
  grading: gradingFiguresSchema.nullable(),
  /** The row that the run counts in, as the headline gate last decided; null = on no board. */
  row: boardRowSchema
    .pick({ rowId: true, label: true, refusals: true, success: true, runIds: true })
    .nullable(),
  /** Shell lines that reproduce the run from a clone. */
  reproduce: z.array(z.string()),
})
export type RunView = z.infer<typeof runViewSchema>

/** One attempt in a list over runs. */
export const episodeSummarySchema = episodeCellSchema.extend({
  runId: z.string(),
  suiteId: z.string(),
  suiteDigest: z.string(),
  subject: subjectSchema.omit({ targeting: true }).extend({ subjectId: z.string() }),
  mode: modeSchema,
  /** What the contract said; null = it was not evaluated. */
  verdict: verdictSchema.nullable(),
  provenance: provenanceSchema,
  startedAt: instantSchema,
})
export type EpisodeSummary = z.infer<typeof episodeSummarySchema>
