import { z } from 'zod'
import { boardRowSchema, boardSchema, rungCountsSchema } from '../board/index.ts'
import { inducedErrorSchema } from './library-facts.ts'

/** Use of an axis: only primary axes are ranked. */
export const AXIS_ROLES = {
  primary: 'Primary',
  'stress-primary': 'Primary in stress episodes only; diagnostic when isolated',
  'primary-when-logged-in': 'Primary when folded into logged-in workflows; otherwise diagnostic',
  diagnostic: 'Diagnostic',
  'diagnostic-unless-success-weighted': 'Diagnostic unless success-weighted over completed tasks',
  qualifier: 'Diagnostic qualifier',
} as const
type AxisRole = keyof typeof AXIS_ROLES

export const AXIS_SLUGS = [
  'task-completion',
  'fault-recovery',
  'logged-in',
  'token-efficiency',
  'speed',
  'developer-experience',
  'token-cost',
] as const
export type AxisSlug = (typeof AXIS_SLUGS)[number]

/** One question about a suite's rows, with its own report page. */
export const axisSchema = z.object({
  slug: z.enum(AXIS_SLUGS),
  /** Letters of the axis, A to G; none for the episode token cost. */
  letters: z.array(z.string()).readonly(),
  title: z.string(),
  role: z.enum(Object.keys(AXIS_ROLES) as [AxisRole, ...AxisRole[]]),
  /** Reason for its role, in one sentence. */
  why: z.string(),
})
export type Axis = z.infer<typeof axisSchema>

const AXIS_FACTS: Record<AxisSlug, Omit<Axis, 'slug'>> = {
  'task-completion': {
    letters: ['B', 'G'],
    title: 'Agent task success and real-world task completion',
    role: 'primary',
    why: 'A complete episode, judged by its success criteria, shows whether the task was done.',
  },
  'fault-recovery': {
    letters: ['D'],
    title: 'Reliability and fault recovery',
    role: 'stress-primary',
    why: 'What matters is that the task is still solved after a fault, not that no error occurred.',
  },
  'logged-in': {
    letters: ['E'],
    title: 'Authentication and real-world usability',
    role: 'primary-when-logged-in',
    why: 'Signing in matters only if the task behind it is solved.',
  },
  'token-efficiency': {
    letters: ['A'],
    title: 'Token efficiency',
    role: 'diagnostic',
    why: 'Token counts show the cost of a success and are meaningless without the success rate.',
  },
  speed: {
    letters: ['C'],
    title: 'Speed and throughput',
    role: 'diagnostic-unless-success-weighted',
    why: 'A fast failure is not a success, so only the time of solved episodes counts.',
  },
  'developer-experience': {
    letters: ['F'],
    title: 'Developer experience',
    role: 'diagnostic',
    why: 'Code size, schemas and clear errors affect adoption, not task success.',
  },
  'token-cost': {
    letters: [],
    title: 'Episode token cost',
    role: 'qualifier',
    why: 'Cost is meaningful per successful episode and as expected cost per success, failures included.',
  },
}

/** All axes: ranked ones first, then the axes that explain them. */
export const AXES: readonly Axis[] = AXIS_SLUGS.map((slug) => ({ slug, ...AXIS_FACTS[slug] }))

const count = z.number().int().nonnegative()
const known = z.number().nullable()

/**
 * primary = safe to cite for a ranked row; supporting = success-weighted, explains a result;
 * diagnostic = raw, failures included.
 */
const columnRoleSchema = z.enum(['primary', 'supporting', 'diagnostic'])
export type ColumnRole = z.infer<typeof columnRoleSchema>

/** share is 0–1; place counts from 1 = best. */
const axisUnitSchema = z.enum([
  'share',
  'ms',
  'micro-usd',
  'tokens',
  'steps',
  'per-hour',
  'place',
  'bytes',
  'lines',
  'count',
])
export type AxisUnit = z.infer<typeof axisUnitSchema>

const axisColumnSchema = z.object({
  id: z.string(),
  title: z.string(),
  unit: axisUnitSchema,
  role: columnRoleSchema,
  /** Description of the number, in one sentence. */
  meaning: z.string(),
  /** Set for columns shown for comparison that do not belong to this axis. */
  context: z.literal(true).optional(),
})
export type AxisColumn = z.infer<typeof axisColumnSchema>

/** A number with its interval and sample size; null = unknown, for the reason in `method`. */
const axisValueSchema = z.object({
  value: known,
  /** Bounds; null = unbounded. */
  low: known,
  high: known,
  /** Sample size. */
  tasks: known,
  episodes: known,
  method: z.string(),
})
export type AxisValue = z.infer<typeof axisValueSchema>

const axisRowSchema = boardRowSchema
  .pick({ rowId: true, subject: true, label: true, driven: true, runIds: true, refusals: true })
  .extend({
    /** The requested browser setting; browser suites only. */
    browser: z.enum(['reused', 'cold']).optional(),
    /** The fault in its settings. */
    fault: z.string().optional(),
    /** Keyed by column id. */
    values: z.record(z.string(), axisValueSchema),
  })
export type AxisRow = z.infer<typeof axisRowSchema>

const spreadSchema = z.object({ p50: known, p95: known, episodes: count })

/** One task of one row under one fault. */
const faultCellSchema = z.object({
  scored: count,
  fired: count,
  recovered: count,
  /** The same subject on the task without the fault; null = never run. */
  baseline: z.object({ solved: count, scored: count }).nullable(),
  /** Null if recovery is not observed. */
  rungs: rungCountsSchema.nullable(),
  detectMs: known,
})
export type FaultCell = z.infer<typeof faultCellSchema>

const faultRowSchema = axisRowSchema
  .pick({ rowId: true, subject: true, label: true, driven: true, browser: true })
  .extend({
    /** Keyed by task id; tasks without a scored episode are missing. */
    cells: z.record(z.string(), faultCellSchema),
    rungs: rungCountsSchema.nullable(),
    detectMs: spreadSchema.nullable(),
  })
export type FaultRow = z.infer<typeof faultRowSchema>

/** Results under one fault: tasks across, rows down. */
const faultGroupSchema = z.object({
  /** The fault as in the settings: `overlay`, `rate-limit@2`. */
  fault: z.string(),
  /** Description of the fault and its source, for kinds that browser workflows know. */
  what: z.string().nullable(),
  by: z.string().nullable(),
  tasks: z.array(z.object({ taskId: z.string(), title: z.string() })),
  rows: z.array(faultRowSchema),
})
export type FaultGroup = z.infer<typeof faultGroupSchema>

/** A version of a library with its measurements outside of episodes. */
const libraryRowSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** Null = nothing was measured for this version. */
  measuredAt: z.string().nullable(),
  /** Keyed by column id. */
  values: z.record(z.string(), axisValueSchema),
  /** Null = no errors were induced. */
  errors: z.array(inducedErrorSchema).nullable(),
})
export type LibraryRow = z.infer<typeof libraryRowSchema>

/** Measurements of the libraries themselves; every column is diagnostic. */
const libraryTableSchema = z.object({
  columns: z.array(axisColumnSchema),
  rows: z.array(libraryRowSchema),
})
export type LibraryTableReport = z.infer<typeof libraryTableSchema>

/** One axis of one suite, for the page, the download and the API. */
export const axisReportSchema = z.object({
  schemaVersion: z.literal(1),
  axis: axisSchema,
  suite: boardSchema.shape.suite.pick({ suiteId: true, title: true, digest: true }),
  policyVersion: z.number().int(),
  columns: z.array(axisColumnSchema),
  /** Ranked rows in the board's order. */
  claims: z.array(axisRowSchema),
  /** Unranked rows with their labels. */
  others: z.array(axisRowSchema),
  /** Set if no row is ranked for task completion: then all figures are supporting diagnostics. */
  supportingOnly: z.string().nullable(),
  /** Stress rows by the fault in their settings; absent = none. */
  faults: z.array(faultGroupSchema).optional(),
  /** Measurements of the libraries themselves; absent = the suite has none. */
  libraries: libraryTableSchema.optional(),
  notes: z.array(z.string()),
  /** Missing parts of this report, with the reasons. */
  absent: z.array(z.string()),
})
export type AxisReport = z.infer<typeof axisReportSchema>
