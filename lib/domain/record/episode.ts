import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { settingsSchema } from '../settings/index.ts'
import { activationSchema } from './activation.ts'
import { browserRecordSchema } from './browser.ts'
import { environmentSchema } from './environment.ts'
import {
  durationMsSchema,
  instantSchema,
  relativePathSchema,
  runIdSchema,
  slugSchema,
} from './names.ts'
import {
  contractResultSchema,
  failureCategorySchema,
  measuredModeSchema,
  outcomeSchema,
  tamperFindingSchema,
} from './outcome.ts'
import { subjectSchema } from './subject.ts'
import { testCommandResultSchema } from './test-command.ts'
import { usageSchema } from './usage.ts'

const count = z.number().int().nonnegative()

const identity = {
  schemaVersion: z.literal(1),
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  runId: runIdSchema,
  planDigest: digestSchema,
  suiteId: slugSchema,
  suiteDigest: digestSchema,
  taskId: slugSchema,
  taskDigest: digestSchema,
  category: z.string().max(60),
  repetition: z.number().int().positive(),
  attempt: z.number().int().positive(),
  previousAttempt: z.object({ episodeId: z.string(), reason: z.string() }).nullable(),
}

export const effortSchema = z.object({
  steps: count.nullable(),
  toolCalls: z.record(z.string(), count).nullable(),
  firstTool: z.string().nullable(),
  /** Signals of lib/domain/record/no-progress.ts; empty = none, or not watched if `steps` is null. */
  noProgress: z.array(z.object({ signal: z.string(), count })),
  retries: z.object({ subject: count.nullable(), gateway: count.nullable(), harness: count }),
  wall: z.object({
    prepareMs: durationMsSchema,
    subjectMs: durationMsSchema,
    restoreMs: durationMsSchema,
    verifyMs: durationMsSchema,
    evidenceMs: durationMsSchema,
    totalMs: durationMsSchema,
  }),
  /** From the time limit to the end of the subject's last process; absent if it ended before. */
  overrunMs: durationMsSchema.optional(),
  /** From the final response to the end of the subject's last process, if it did not exit and was ended. */
  lingeredMs: durationMsSchema.optional(),
})

/** A stored evidence file next to the envelope, with its digest and size. */
export const evidenceFileSchema = z.object({
  role: z.enum([
    'subject-log',
    'gate-log',
    'events',
    'workspace-diff',
    'solution',
    'gateway-recording',
    // Conversation of agent and model, as recorded by the gateway.
    'transcript',
    'screenshot',
    'contract-evidence',
    // The record of another program that a reported episode was read from.
    'source-record',
  ]),
  path: relativePathSchema,
  digest: digestSchema,
  sizeBytes: count,
  /** Bytes that a limit cut off; 0 = complete. */
  droppedBytes: count,
})
/** Path of the gateway's calls in an episode's evidence: one JSON line each. */
export const CALLS_FILE = 'calls.ndjson'
/** Path of an attempt's whole final state in its evidence, where a patch cannot be made. */
export const WORKSPACE_FILE = 'solution/workspace.json'
export type EvidenceFile = z.infer<typeof evidenceFileSchema>

/** The subject's prompt: version, digest of the whole text, and how it was passed. */
const promptSchema = z.object({
  version: z.number().int().positive(),
  digest: digestSchema,
  /** `file` also if the text was too long for an argument: the agent was then instructed to read it. */
  passedBy: z.enum(['argument', 'stdin', 'file']),
})
export type PromptRecord = z.infer<typeof promptSchema>

export const episodeBodySchema = z.object({
  ...identity,
  subject: subjectSchema.extend({
    modelObserved: z.array(z.string().max(200)).max(50),
    settings: settingsSchema,
  }),
  environment: environmentSchema,
  mode: measuredModeSchema,
  startedAt: instantSchema,
  endedAt: instantSchema,
  outcome: outcomeSchema,
  failureCategory: failureCategorySchema.nullable(),
  /** Null if the contract was never evaluated (cancelled, or void before verification). */
  contract: contractResultSchema.nullable(),
  agentSuccess: z.boolean(),
  testSuccess: z.boolean(),
  overallSuccess: z.boolean(),
  exit: z.object({
    subject: z.object({ code: z.number().int().nullable(), signal: z.string().nullable() }),
    gate: z.object({ code: z.number().int().nullable(), signal: z.string().nullable() }),
  }),
  effort: effortSchema,
  usage: usageSchema.nullable(),
  /** Null or absent if the subject reads no prompt: a control, a library, an envelope from before it was recorded. */
  prompt: promptSchema.nullable().optional(),
  /** Use of the arm's content by the model; absent = no arm, or one without such content. */
  activation: activationSchema.optional(),
  /** Diagnostic beside the verdict; absent = the task has no test command, or it was not judged. */
  testCommand: testCommandResultSchema.optional(),
  /** Null or absent if no browser took part. */
  browser: browserRecordSchema.nullable().optional(),
  fault: z
    .object({
      plan: z.string(),
      point: z.string(),
      firedAt: instantSchema.nullable(),
      recovered: z.boolean().nullable(),
    })
    .nullable(),
  integrity: z.object({
    protectedFilesTouched: z.array(
      z.object({
        path: z.string(),
        change: z.enum(['modified', 'deleted', 'added', 'replaced-by-link']),
        /**
         * Why it was not judged, as part of a sentence. Absent = the task's own file, or an envelope from before it was
         * recorded.
         */
        reason: z.string().max(300).optional(),
      }),
    ),
    findings: z.array(tamperFindingSchema),
  }),
  evidence: z.array(evidenceFileSchema).max(500),
  /** Hashes of the ledger entries that registered its run, one per board; absent = none known at the start. */
  registrations: z.array(digestSchema).max(10).optional(),
})
export type EpisodeBody = z.infer<typeof episodeBodySchema>

/** One sealed episode: the complete record of one attempt of a subject at a task; `seal` covers every other byte. */
export const episodeSchema = episodeBodySchema.extend({ seal: digestSchema })
export type Episode = z.infer<typeof episodeSchema>
