import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { rowSettingsSchema } from '../settings/index.ts'
import { type Episode, effortSchema, episodeBodySchema, episodeSchema } from './episode.ts'
import { durationMsSchema } from './names.ts'
import { assertionOfLevels, contractResultSchema, verdictSchema } from './outcome.ts'
import { type Plan, plannedTaskSchema, planSchema } from './plan.ts'
import { subjectSchema } from './subject.ts'

/**
 * Schema version of a reported episode, its plan and its bundle. Episodes measured by Proofboard's runner have version
 * 1.
 */
export const REPORTED_SCHEMA_VERSION = 2

const { wall } = effortSchema.shape

const reportedEffortSchema = effortSchema.extend({
  retries: effortSchema.shape.retries.extend({
    harness: effortSchema.shape.retries.shape.harness.nullable(),
  }),
  wall: z.object({
    prepareMs: wall.shape.prepareMs.nullable(),
    subjectMs: wall.shape.subjectMs.nullable(),
    restoreMs: wall.shape.restoreMs.nullable(),
    verifyMs: wall.shape.verifyMs.nullable(),
    evidenceMs: wall.shape.evidenceMs.nullable(),
    totalMs: durationMsSchema.nullable(),
  }),
})

const SOURCE_FORMATS = ['ts-bench', 'junit', 'ctrf', 'harbor', 'inspect'] as const

/** The program and record that a reported episode comes from. Null = not stated. */
const sourceSchema = z.object({
  format: z.enum(SOURCE_FORMATS),
  /** The format version stated by the record. */
  formatVersion: z.string().max(100).nullable(),
  /** The program that measured. */
  harness: z.object({
    name: z.string().min(1).max(200),
    version: z.string().max(100).nullable(),
    commit: z.string().max(100).nullable(),
    dirty: z.boolean().nullable(),
  }),
  /** Digest of the part of the record about this run, in the form that the format's reader documents. */
  recordDigest: digestSchema,
  /** The record's own name of the attempt. */
  recordName: z.string().max(300),
  /** Web address of the result, as in the record. */
  url: z.string().max(500).nullable(),
  /** `run`: `startedAt` and `endedAt` are those of the run, since the record has none for the attempt. */
  times: z.enum(['attempt', 'run']),
  /** The score in the record; null = it only states whether the task was solved. */
  score: z.number().nullable(),
  /** Facts missing from the record, described for people. */
  untold: z.array(z.string().max(100)).max(50),
})

/**
 * An attempt measured and reported by another program: version 2 of the envelope. Values missing from its record are
 * null. It has no contract result, since none was observed here, and the success flags are as reported.
 */
export const reportedBodySchema = episodeBodySchema.extend({
  schemaVersion: z.literal(REPORTED_SCHEMA_VERSION),
  source: sourceSchema,
  subject: subjectSchema.extend({
    modelObserved: z.array(z.string().max(200)).max(50),
    settings: rowSettingsSchema,
  }),
  environment: z.null(),
  mode: z.literal('reported'),
  contract: z.null(),
  agentSuccess: z.boolean().nullable(),
  testSuccess: z.boolean().nullable(),
  overallSuccess: z.boolean().nullable(),
  effort: reportedEffortSchema,
  fault: z.null(),
  prompt: z.null().optional(),
  browser: z.null().optional(),
  testCommand: z.undefined().optional(),
  /** The files were not watched. */
  integrity: z.null(),
  /** The attempt was registered before it started and handed in with its final state; absent = only reported. */
  escrow: z.object({ verdict: verdictSchema.exclude(['inconclusive']) }).optional(),
})
export type ReportedBody = z.infer<typeof reportedBodySchema>

/** One attempt reported by another program; `seal` covers every other byte. */
export const reportedEpisodeSchema = reportedBodySchema.extend({ seal: digestSchema })
export type ReportedEpisode = z.infer<typeof reportedEpisodeSchema>
export type Source = z.infer<typeof sourceSchema>

/**
 * Settings of another program's result, written down afterwards. The plan was not frozen, so no claim is based on it.
 * Its tasks are known by name alone, or by the digest that the program reports.
 */
export const reportedPlanSchema = planSchema.extend({
  schemaVersion: z.literal(REPORTED_SCHEMA_VERSION),
  frozenAt: z.null(),
  command: z.null(),
  policyVersion: z.null(),
  topUpOf: z.undefined().optional(),
  arms: z.undefined().optional(),
  stop: z.undefined().optional(),
  escrow: z.undefined().optional(),
  tasks: z
    .array(plannedTaskSchema.extend({ title: z.string().min(1).max(200) }))
    .min(1)
    .max(10_000),
  settings: rowSettingsSchema,
  /** The program's name of the set of tasks. */
  dataset: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).nullable() }),
})
export type ReportedPlan = z.infer<typeof reportedPlanSchema>

// Uploads, stored rows and archives contain both episodes measured here and episodes reported by other programs. Only
// code that reads them, maps them to a board row or exports them handles both; all other code works on measured
// episodes.

/**
 * A sealed episode as stored or sent: version 1 was measured by Proofboard's runner, version 2 reported by another
 * program.
 */
export const anyEpisodeSchema = z.discriminatedUnion('schemaVersion', [
  episodeSchema,
  reportedEpisodeSchema,
])
export type AnyEpisode = z.infer<typeof anyEpisodeSchema>

/** Contracts have two or three levels; deeper trees are parsed by the slower schema. */
const COMPILED_LEVELS = 5
let compiled: z.ZodType<AnyEpisode> | undefined

/** Equals `anyEpisodeSchema.safeParse`, but takes a twentieth of the time for envelopes of Proofboard's runner. */
export function readAnyEpisode(input: unknown): z.ZodSafeParseResult<AnyEpisode> {
  // Compiled on first use, which takes as long as parsing some hundred envelopes.
  compiled ??= compileSchema()
  const quick = compiled.safeParse(input)
  // The compiled schema accepts less than the full one, which also has the error messages.
  return quick.success ? quick : anyEpisodeSchema.safeParse(input)
}

function compileSchema(): z.ZodType<AnyEpisode> {
  const assertions = z.array(assertionOfLevels(COMPILED_LEVELS))
  const contract = contractResultSchema.extend({ assertions }).nullable()
  const measured = episodeSchema.extend({ contract })
  return z.compile(z.discriminatedUnion('schemaVersion', [measured, reportedEpisodeSchema]))
}

/** The plan of stored episodes: frozen before them, or reported after them. */
export const anyPlanSchema = z.discriminatedUnion('schemaVersion', [planSchema, reportedPlanSchema])
export type AnyPlan = z.infer<typeof anyPlanSchema>

/** True if Proofboard's runner measured the episode. */
export function isMeasured(episode: AnyEpisode): episode is Episode {
  return episode.schemaVersion === 1
}

/** True if the plan was frozen before its episodes started; only then can it be run or support a claim. */
export function isFrozen(plan: AnyPlan): plan is Plan {
  return plan.schemaVersion === 1
}
