import { z } from 'zod'
import { type BoardRow, boardRowSchema } from '../board/index.ts'
import { decisionSchema } from '../planner/index.ts'
import type { Suite } from '../tasks/index.ts'
import { armsViewSchema } from './arms-view.ts'
import { measuredDifferenceSchema, unmeasuredSchema } from './measured-difference.ts'

const count = z.number().int().nonnegative()

/** Facts about a suite's version that a comparison needs. */
export type ComparedSuite = Pick<Suite, 'suiteId' | 'title' | 'version' | 'digest'> & {
  protocolVersion: number
  tasks: { taskId: string; title: string; digest: string }[]
}

/** Requested rows in order, the existing ones among them, and their suite versions. */
export type ComparisonInput = {
  rowIds: readonly string[]
  rows: readonly BoardRow[]
  suites: readonly ComparedSuite[]
  /** Keyed by row id; absent = names from `nameRows`. */
  names?: ReadonlyMap<string, string>
}

export type ComparisonRefusalCode =
  | 'too-few-rows'
  | 'too-many-rows'
  | 'repeated-row'
  | 'unknown-row'
  | 'other-suite'
  | 'other-version'

/** One version of a suite and the rows that ran it. */
export type VersionRows = {
  suiteId: string
  title: string
  version: string | null
  digest: string
  rows: { rowId: string; name: string }[]
}

/** Differences of one version's tasks from the first one's. */
export type VersionDifference = {
  from: string
  to: string
  changed: string[]
  onlyFrom: string[]
  onlyTo: string[]
  /** The same tasks under different verification protocols. */
  protocol: { from: number; to: number } | null
}

/** Why rows are not compared, as text, with what can be compared instead. */
export type ComparisonRefusal = {
  ok: false
  code: ComparisonRefusalCode
  reason: string
  remedy: string
  versions: VersionRows[]
  differences: VersionDifference[]
  /** Sets of the requested rows that can be compared with each other. */
  offers: { rowIds: string[]; names: string[] }[]
}

/** A row in a comparison: `name` is short and unique within it. */
const comparedRowSchema = boardRowSchema
  .pick({
    rowId: true,
    subject: true,
    label: true,
    driven: true,
    success: true,
    repetitions: true,
    runIds: true,
  })
  .extend({ name: z.string() })
export type ComparedRow = z.infer<typeof comparedRowSchema>

/** Counts of a task's episodes; `rate` 0–1, null if all are excluded. */
const taskCellSchema = z.object({
  solved: count,
  scored: count,
  voids: count,
  rate: z.number().nullable(),
})
export type TaskCell = z.infer<typeof taskCellSchema>

/** A task that one row solves in most attempts and the other does not. */
const flippedTaskSchema = z.object({
  taskId: z.string(),
  title: z.string(),
  solvedBy: z.enum(['a', 'b']),
  a: taskCellSchema,
  b: taskCellSchema,
  /** Rate of A minus rate of B, -1 … 1. */
  difference: z.number(),
})
export type FlippedTask = z.infer<typeof flippedTaskSchema>

const pairViewSchema = z.object({
  a: z.string(),
  b: z.string(),
  /** The verdict in one sentence. */
  sentence: z.string(),
  /** Basis, p-value, levels and method. */
  details: z.string(),
  /** Samples that would decide; null = already decided, or none would. */
  decide: decisionSchema.nullable(),
  result: z.union([measuredDifferenceSchema, unmeasuredSchema]),
  common: count,
  /** Tasks without a scored episode on the other side, or on either. */
  leftOut: z.object({
    onlyA: z.array(z.string()),
    onlyB: z.array(z.string()),
    neither: z.array(z.string()),
  }),
  flipped: z.array(flippedTaskSchema),
  /** True if both rows of this pair are ranked and comparable. */
  isClaim: z.boolean(),
})
export type PairView = z.infer<typeof pairViewSchema>

/** States whether the verdicts are safe to cite, with the reasons if not. */
const standingSchema = z.union([
  z.object({ kind: z.literal('claim'), text: z.string() }),
  z.object({ kind: z.literal('diagnostic'), reasons: z.array(z.string()) }),
])
export type ComparisonEligibility = z.infer<typeof standingSchema>

/**
 * Correction for comparing several pairs at once. `confidence` 0–1 is that of each interval without interim analyses.
 */
const multiplicitySchema = z.object({
  method: z.string(),
  alpha: z.number(),
  pairAlpha: z.number(),
  confidence: z.number(),
  pairs: count,
  tested: count,
  text: z.string(),
})
export type Multiplicity = z.infer<typeof multiplicitySchema>

export const comparisonViewSchema = z.object({
  ok: z.literal(true),
  suite: z.object({
    suiteId: z.string(),
    title: z.string(),
    version: z.string().nullable(),
    digest: z.string(),
    tasks: count,
  }),
  rows: z.array(comparedRowSchema),
  pairs: z.array(pairViewSchema),
  /** The arms among the rows against their baseline; absent = no arms with a baseline. */
  arms: armsViewSchema.optional(),
  multiplicity: multiplicitySchema,
  standing: standingSchema,
  /** Caveats about the counts: excluded episodes, unequal repetitions. */
  notes: z.array(z.string()),
  /** Tasks down, rows across in the order of `rows`; null = the row has no episode of the task. */
  tasks: z.array(
    z.object({
      taskId: z.string(),
      title: z.string(),
      cells: z.array(taskCellSchema.nullable()),
    }),
  ),
})
export type ComparisonView = z.infer<typeof comparisonViewSchema>

export type Comparison = ComparisonView | ComparisonRefusal
