import { z } from 'zod'
import { type BoardRow, boardRowSchema } from '../board/index.ts'
import { STATISTIC_REFUSAL_CODES } from '../statistics/index.ts'
import type { Suite } from '../tasks/index.ts'

const count = z.number().int().nonnegative()

/** What a comparison needs to know of a suite's version. */
export type ComparedSuite = Pick<Suite, 'suiteId' | 'title' | 'version' | 'digest'> & {
  protocolVersion: number
  tasks: { taskId: string; title: string; digest: string }[]
}

/** Rows asked for in the order of the question, those of them that exist, and the suite versions they ran. */
export type ComparisonInput = {
  rowIds: readonly string[]
  rows: readonly BoardRow[]
  suites: readonly ComparedSuite[]
  /** By row id; absent = as `nameRows` tells them apart. */
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

/** How one version's tasks differ from the first one's. */
export type VersionDifference = {
  from: string
  to: string
  changed: string[]
  onlyFrom: string[]
  onlyTo: string[]
  /** Same tasks, but the rules that say what a pass is were others. */
  protocol: { from: number; to: number } | null
}

/** Why rows are not compared, in words, with what can be compared instead. */
export type ComparisonRefusal = {
  ok: false
  code: ComparisonRefusalCode
  reason: string
  remedy: string
  versions: VersionRows[]
  differences: VersionDifference[]
  /** Sets of the rows asked for that can be compared with each other. */
  offers: { rowIds: string[]; names: string[] }[]
}

/** A row as a comparison names it: `name` is short and belongs to one row of the comparison only. */
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

/** Counts of a task's episodes; `rate` 0–1, null when all are excluded. */
const taskCellSchema = z.object({
  solved: count,
  scored: count,
  voids: count,
  rate: z.number().nullable(),
})
export type TaskCell = z.infer<typeof taskCellSchema>

/** A task that one row solves more often than not and the other does not. */
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

/** A minus B over their common tasks; rates and differences lie in -1 … 1. */
const measuredDifferenceSchema = z.object({
  ok: z.literal(true),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  p: z.number(),
  /** p with all pairs shown taken into account, and all looks at this one. */
  adjustedP: z.number(),
  /** Of this pair's interval, 0–1: higher than the others' where a row was topped up or is unfinished. */
  confidence: z.number(),
  verdict: z.object({
    kind: z.enum(['better', 'worse', 'no-larger-than', 'cannot-tell']),
    text: z.string(),
    /** 0–1, only where one is named. */
    bound: z.number().nullable(),
  }),
  method: z.string(),
  seed: z.number().int().nullable(),
})
export type MeasuredDifference = z.infer<typeof measuredDifferenceSchema>

const unmeasuredSchema = z.object({
  ok: z.literal(false),
  refusal: z.object({ code: z.enum(STATISTIC_REFUSAL_CODES), reason: z.string() }),
})

const pairViewSchema = z.object({
  a: z.string(),
  b: z.string(),
  /** The verdict in one sentence. */
  sentence: z.string(),
  result: z.union([measuredDifferenceSchema, unmeasuredSchema]),
  common: count,
  /** Tasks without a scored episode on the other side, or on either. */
  leftOut: z.object({
    onlyA: z.array(z.string()),
    onlyB: z.array(z.string()),
    neither: z.array(z.string()),
  }),
  flipped: z.array(flippedTaskSchema),
  /** Whether both rows of this pair are ranked and comparable. */
  isClaim: z.boolean(),
})
export type PairView = z.infer<typeof pairViewSchema>

/** Whether the verdicts may be quoted, and if not, why. */
const standingSchema = z.union([
  z.object({ kind: z.literal('claim'), text: z.string() }),
  z.object({ kind: z.literal('diagnostic'), reasons: z.array(z.string()) }),
])
export type ComparisonEligibility = z.infer<typeof standingSchema>

/** What was done about looking at several pairs at once. `confidence` 0–1 is that of each interval. */
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
  multiplicity: multiplicitySchema,
  standing: standingSchema,
  /** What a reader must know about the counts: voids left out, unequal repetitions. */
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
