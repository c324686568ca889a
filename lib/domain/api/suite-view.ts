import { z } from 'zod'
import {
  boardRowSchema,
  modelledRowSchema,
  taskExposureSchema,
  taskStatisticsSchema,
  verifierErrorsSchema,
} from '../board/index.ts'
import { digestSchema } from '../digest/index.ts'
import { armSchema, subjectKindSchema } from '../record/index.ts'
import { suiteSchema, taskSchema, thresholdsSchema } from '../tasks/index.ts'

const count = z.number().int().nonnegative()

/** A suite in a list, with the number of its tasks and of its board's rows. */
export const suiteSummarySchema = z.object({
  suiteId: z.string(),
  title: z.string(),
  kind: suiteSchema.shape.kind,
  version: z.string(),
  digest: z.string(),
  tasks: count,
  rows: count,
  /** Number of ranked rows. */
  ranked: count,
  /** Ranked rows under injected faults. */
  stress: count,
  /** Rows of controls, which are not entries. */
  controls: count,
})
export type SuiteSummary = z.infer<typeof suiteSummarySchema>

/** One version of a suite that has a board. */
const suiteVersionSchema = z.object({
  digest: digestSchema,
  /** Version number given by its authors; absent = this suite version is not stored here. */
  version: z.string().optional(),
  tasks: z.number().int().nonnegative(),
  rows: z.number().int().nonnegative(),
  /** Rows of controls, which are not entries. */
  controls: z.number().int().nonnegative(),
  isCurrent: z.boolean(),
})

/** One suite with its identity; its tasks are a separate list. */
export const suiteViewSchema = suiteSchema.omit({ tasks: true, thresholds: true }).extend({
  tasks: count,
  rows: count,
  /** Thresholds in force on its board: the policy's, or the suite's own where they are stricter. */
  thresholds: thresholdsSchema,
  /** Versions that have a board, the current one first. */
  versions: z.array(suiteVersionSchema),
  /** Measured error rates of its verifier. */
  verifierErrors: verifierErrorsSchema.optional(),
  /** Statistics of its tasks over the rows of its board. */
  taskStatistics: taskStatisticsSchema.optional(),
  /** Rates of rows of all versions and subsets on all tasks, partly predicted; never ranked. */
  modelledRows: z.array(modelledRowSchema).optional(),
})
export type SuiteView = z.infer<typeof suiteViewSchema>

/** One task with its contract, and the suite version it belongs to. */
export const taskViewSchema = z.object({
  suite: suiteSchema.pick({ suiteId: true, title: true, digest: true }),
  task: taskSchema,
})
export type TaskView = z.infer<typeof taskViewSchema>

/** The measured subject, with its id: the digest of the other members. */
export const subjectSummarySchema = z.object({
  subjectId: z.string(),
  kind: subjectKindSchema,
  name: z.string(),
  version: z.string().nullable(),
  adapterVersion: z.string().nullable(),
  provider: z.string().nullable(),
  modelRequested: z.string().nullable(),
  episodes: count,
})
export type SubjectSummary = z.infer<typeof subjectSummarySchema>

export const subjectViewSchema = subjectSummarySchema.extend({
  /** Its rows on the boards of every suite and version. */
  rows: z.array(
    boardRowSchema
      .pick({ rowId: true, suiteId: true, suiteDigest: true, label: true, success: true })
      .extend({ isCurrent: z.boolean() }),
  ),
})
export type SubjectView = z.infer<typeof subjectViewSchema>

/** A row with its board. */
export const rowViewSchema = z.object({
  row: boardRowSchema,
  suite: suiteSchema.pick({ suiteId: true, title: true, digest: true }),
  /** False = the suite has a newer version, and the row stays with the one it ran. */
  isCurrent: z.boolean(),
  /** Possible exposure of its model to the tasks in training; null = no model is named. */
  exposure: taskExposureSchema.nullable().optional(),
  /** Content that its arm adds; absent = not an arm of a plan, or the plan is not stored here. */
  arm: armSchema.optional(),
})
export type RowView = z.infer<typeof rowViewSchema>
export type SuiteVersion = z.infer<typeof suiteVersionSchema>
