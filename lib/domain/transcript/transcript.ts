import { z } from 'zod'
import { instantSchema, verdictSchema } from '../record/index.ts'
import { parseJson } from '../text/index.ts'

/** Path of the transcript in an episode's evidence (role `transcript`): one JSON line each, the head first. */
export const TRANSCRIPT_FILE = 'transcript.jsonl'
export const TRANSCRIPT_VERSION = 1

const count = z.number().int().nonnegative()

/** First line: agent and model, and the time at which `atMs` is 0. */
export const transcriptHeadSchema = z.object({
  kind: z.literal('transcript'),
  version: z.literal(TRANSCRIPT_VERSION),
  agent: z.object({ name: z.string(), version: z.string().nullable() }),
  provider: z.string(),
  model: z.string().nullable(),
  startedAt: instantSchema,
  /** Maximum characters of one text, and bytes of the whole file. */
  limits: z.object({ textChars: count, bytes: count }),
  /** Made up for a demonstration; absent = recorded by a gateway. */
  simulated: z.boolean().optional(),
})
export type TranscriptHead = z.infer<typeof transcriptHeadSchema>

export const TRANSCRIPT_ROLES = ['system', 'user', 'assistant', 'tool'] as const
export type TranscriptRole = (typeof TRANSCRIPT_ROLES)[number]

/**
 * Why a step is not simply the next of its conversation: `begun` = another conversation begins (a sub-agent, a side
 * question, a new conversation), `branch` = the conversation continues from an earlier point, `rewritten` = the agent
 * changed earlier messages, `asked-again` = the same request once more.
 */
const MARKS = ['begun', 'branch', 'rewritten', 'asked-again', 'system-changed'] as const
export type TranscriptMark = (typeof MARKS)[number]

const toolCallSchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  arguments: z.string(),
})
export type TranscriptToolCall = z.infer<typeof toolCallSchema>

export const workspaceChangeSchema = z.object({
  path: z.string(),
  kind: z.enum(['added', 'modified', 'removed']),
  /** Null = not counted: too large, not text, or not a regular file. */
  addedLines: count.nullable(),
  removedLines: count.nullable(),
})
export type WorkspaceChange = z.infer<typeof workspaceChangeSchema>

const changesSchema = z.object({
  files: z.array(workspaceChangeSchema),
  /** Number of changed files that are not listed. */
  more: count,
})
export type WorkspaceChanges = z.infer<typeof changesSchema>

/** Tokens of a call; null = unknown. `cached` is the part of `input` that came from a cache. */
const tokensSchema = z.object({
  input: count.nullable(),
  output: count.nullable(),
  cached: count.nullable(),
})

/** One new part of a conversation: a message, a tool result or a response of the model. */
export const transcriptStepSchema = z.object({
  kind: z.literal('step'),
  /** 1, 2, 3 … */
  index: z.number().int().positive(),
  /** Milliseconds since `startedAt`: when the call that brought it arrived, or when the response ended. */
  atMs: count,
  /** Number of the call at the gateway, as in the list of calls. */
  call: z.number().int().positive(),
  /** Number of the conversation, from 1; agents hold several at a time. */
  thread: z.number().int().positive(),
  mark: z.enum(MARKS).nullable(),
  role: z.enum(TRANSCRIPT_ROLES),
  text: z.string().nullable(),
  reasoning: z.string().nullable(),
  toolCalls: z.array(toolCallSchema),
  toolResult: z.object({ callId: z.string().nullable(), text: z.string() }).nullable(),
  model: z.string().nullable(),
  /** Failure of the call, with its status; null = a complete response, or not a response. */
  trouble: z.string().nullable(),
  tokens: tokensSchema.nullable(),
  costMicroUsd: z.number().nonnegative().nullable(),
  /** Total of all calls that have ended, this one included; null = one of them is unknown. */
  soFar: tokensSchema.extend({ costMicroUsd: z.number().nonnegative().nullable() }),
  /** Changes in the workspace since the previous call, observed when this call arrived; null = not checked. */
  changes: changesSchema.nullable(),
  /** Characters that a limit cut off. */
  cutChars: count,
})
export type TranscriptStep = z.infer<typeof transcriptStepSchema>

/** Last line of the gateway's record; absent if the runner was killed. */
export const transcriptEndSchema = z.object({
  kind: z.literal('end'),
  steps: count,
  /** Steps that the limit of the file left out, and characters that were cut off. */
  droppedSteps: count,
  cutChars: count,
  redactions: count,
  threads: count,
  /** Changes after the last call, observed when the gateway closed. */
  changes: changesSchema.nullable(),
})
export type TranscriptEnd = z.infer<typeof transcriptEndSchema>

export const SCANNERS = [
  'read-tests',
  'read-reference',
  'searched-task',
  'test-constants',
  'gave-up',
  'loop',
] as const
export type ScannerName = (typeof SCANNERS)[number]

/** A scanner's finding, for people to review: no score and no evidence rule uses it. */
export const scanFindingSchema = z.object({
  scanner: z.enum(SCANNERS),
  sentence: z.string(),
  /** Indexes of the steps that contain it. */
  steps: z.array(z.number().int().positive()),
})
export type ScanFinding = z.infer<typeof scanFindingSchema>

/** An expected behaviour of the task, as the transcript shows it: a diagnostic, like the findings. */
export const behaviourResultSchema = z.object({
  sentence: z.string().max(300),
  verdict: verdictSchema,
  observed: z.string().max(300),
  steps: z.array(z.number().int().positive()).max(100),
})
export type BehaviourResult = z.infer<typeof behaviourResultSchema>

/** Findings, written when the evidence was sealed. */
export const transcriptFindingsSchema = z.object({
  kind: z.literal('findings'),
  scannerVersion: z.number().int().positive(),
  findings: z.array(scanFindingSchema),
  /** Absent = the task expects no behaviour. */
  behaviour: z.array(behaviourResultSchema).max(50).optional(),
})
export type TranscriptFindings = z.infer<typeof transcriptFindingsSchema>

const transcriptLineSchema = z.discriminatedUnion('kind', [
  transcriptHeadSchema,
  transcriptStepSchema,
  transcriptEndSchema,
  transcriptFindingsSchema,
])
export type TranscriptLine = z.infer<typeof transcriptLineSchema>

/** Parses one line of a transcript; null = unreadable. Evidence is shown, never trusted. */
export function parseTranscriptLine(line: string): TranscriptLine | null {
  return transcriptLineSchema.safeParse(parseJson(line)).data ?? null
}

/** A transcript as one value. */
export type Transcript = {
  head: TranscriptHead
  steps: TranscriptStep[]
  /** Null = the runner was killed before the end. */
  end: TranscriptEnd | null
  findings: TranscriptFindings | null
  /** Lines that could not be read. */
  unreadable: number
}

/** Assembles the lines of a transcript; null = not a transcript, because it has no head. */
export function parseTranscript(text: string): Transcript | null {
  const lines = text.split('\n').filter((line) => line !== '')
  const parsed = lines.map(parseTranscriptLine)
  const head = parsed[0]
  if (head?.kind !== 'transcript') return null
  const steps = parsed.flatMap((line) => (line?.kind === 'step' ? [line] : []))
  return {
    head,
    steps,
    end: parsed.find((line) => line?.kind === 'end') ?? null,
    findings: parsed.findLast((line) => line?.kind === 'findings') ?? null,
    unreadable: parsed.filter((line) => line === null).length,
  }
}
