import { z } from 'zod'
import { digestSchema } from './digest.ts'
import { type Episode, effortSchema, episodeBodySchema, episodeSchema } from './episode.ts'
import { durationMsSchema } from './names.ts'
import { assertionOfLevels, contractResultSchema } from './outcome.ts'
import { type Plan, plannedTaskSchema, planSchema } from './plan.ts'
import { rowSettingsSchema } from './row-settings.ts'
import { subjectSchema } from './subject.ts'

/** The version of a reported episode, its plan and its bundle. What our runner measures is version 1. */
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

/** Which program reported an episode, and in which record. Null = the record does not say. */
const sourceSchema = z.object({
  format: z.enum(SOURCE_FORMATS),
  /** The record's own version of its format. */
  formatVersion: z.string().max(100).nullable(),
  /** The program that measured. */
  harness: z.object({
    name: z.string().min(1).max(200),
    version: z.string().max(100).nullable(),
    commit: z.string().max(100).nullable(),
    dirty: z.boolean().nullable(),
  }),
  /** Of the part of the record that is about this run, in the form its format's reader documents. */
  recordDigest: digestSchema,
  /** What the record calls this very attempt. */
  recordName: z.string().max(300),
  /** Where to view it: an address in the record. */
  url: z.string().max(500).nullable(),
  /** `run`: `startedAt` and `endedAt` are the run's own, the record has none of the attempt. */
  times: z.enum(['attempt', 'run']),
  /** The score as the record has it; null = it only says whether the task was solved. */
  score: z.number().nullable(),
  /** What the record does not tell, in words for people. */
  untold: z.array(z.string().max(100)).max(50),
})

/**
 * An attempt that another program measured and reported, as its record has it: version 2 of the envelope. Whatever the
 * record lacks is null; there is no contract result, since none was observed here, and the success flags are as reported.
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
  /** The files were not watched. */
  integrity: z.null(),
})
export type ReportedBody = z.infer<typeof reportedBodySchema>

/** One attempt as another program reported it; `seal` covers every other byte. */
export const reportedEpisodeSchema = reportedBodySchema.extend({ seal: digestSchema })
export type ReportedEpisode = z.infer<typeof reportedEpisodeSchema>
export type Source = z.infer<typeof sourceSchema>

/**
 * How another program made a result, written down afterwards. It was not frozen, so no claim rests on
 * it. Its tasks are known by name alone, or by the digest that the program reports.
 */
export const reportedPlanSchema = planSchema.extend({
  schemaVersion: z.literal(REPORTED_SCHEMA_VERSION),
  frozenAt: z.null(),
  command: z.null(),
  policyVersion: z.null(),
  topUpOf: z.undefined().optional(),
  arms: z.undefined().optional(),
  tasks: z
    .array(plannedTaskSchema.extend({ title: z.string().min(1).max(200) }))
    .min(1)
    .max(10_000),
  settings: rowSettingsSchema,
  /** What the program calls the set of tasks. */
  dataset: z.object({ name: z.string().min(1).max(200), version: z.string().max(100).nullable() }),
})
export type ReportedPlan = z.infer<typeof reportedPlanSchema>

// Uploads, stored rows and archives hold both what was measured here and what other programs reported. Only what reads
// them, maps them to a board row or writes them out may know of both; everything else works on what was measured.

/** A sealed episode as it is stored or sent: version 1 was measured by our runner, version 2 reported by another program. */
export const anyEpisodeSchema = z.discriminatedUnion('schemaVersion', [
  episodeSchema,
  reportedEpisodeSchema,
])
export type AnyEpisode = z.infer<typeof anyEpisodeSchema>

/** Contracts have two or three; deeper trees are read as well, by the slower way. */
const COMPILED_LEVELS = 5
let compiled: z.ZodType<AnyEpisode> | undefined

/** `anyEpisodeSchema.safeParse`, in a twentieth of the time for the envelopes of our own runner. */
export function readAnyEpisode(input: unknown): z.ZodSafeParseResult<AnyEpisode> {
  // Compiled at the first use, which takes as long as some hundred envelopes.
  compiled ??= compileSchema()
  const quick = compiled.safeParse(input)
  // It takes less than the whole schema, which also has the sentences about what is wrong.
  return quick.success ? quick : anyEpisodeSchema.safeParse(input)
}

function compileSchema(): z.ZodType<AnyEpisode> {
  const assertions = z.array(assertionOfLevels(COMPILED_LEVELS))
  const contract = contractResultSchema.extend({ assertions }).nullable()
  const measured = episodeSchema.extend({ contract })
  return z.compile(z.discriminatedUnion('schemaVersion', [measured, reportedEpisodeSchema]))
}

/** The plan behind stored episodes: frozen before them, or reported after them. */
export const anyPlanSchema = z.discriminatedUnion('schemaVersion', [planSchema, reportedPlanSchema])
export type AnyPlan = z.infer<typeof anyPlanSchema>

/** True when our own runner measured it, so that nothing of it is merely reported. */
export function isMeasured(episode: AnyEpisode): episode is Episode {
  return episode.schemaVersion === 1
}

/** True when the plan was frozen before its episodes started: only then can it be run, and hold a claim. */
export function isFrozen(plan: AnyPlan): plan is Plan {
  return plan.schemaVersion === 1
}
