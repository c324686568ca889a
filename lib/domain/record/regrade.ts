import { z } from 'zod'
import { digestSchema } from '../digest/index.ts'
import { parseJson } from '../text/index.ts'
import { verifierSchema } from './environment.ts'
import { instantSchema, relativePathSchema } from './names.ts'
import {
  contractResultSchema,
  type OutcomeStatus,
  outcomeStatusSchema,
  tamperFindingSchema,
  type Verdict,
  verdictSchema,
} from './outcome.ts'
import { armSchema } from './plan.ts'

const endingSchema = z.object({ status: outcomeStatusSchema, verdict: verdictSchema.nullable() })

/** Summary of a regrade: one line of a run's `regrades.ndjson`. */
export const regradeLineSchema = z.object({
  at: instantSchema,
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  /** Path of the full record, relative to the run's folder. */
  path: relativePathSchema,
  /** Version of the harness that judged, and its commit if known. */
  gate: z.object({ version: z.string().max(60), commit: z.string().max(80).nullable() }),
  before: endingSchema,
  after: endingSchema,
  agrees: z.boolean(),
})
export type RegradeLine = z.infer<typeof regradeLineSchema>

/**
 * `regrade-N.json` next to an episode: the contract evaluated again from the stored solution. The envelope stays
 * unchanged.
 */
export const regradeSchema = regradeLineSchema.extend({
  kind: z.literal('proofboard-regrade'),
  schemaVersion: z.literal(1),
  /** The envelope that was regraded, and its task's version. */
  seal: digestSchema,
  taskDigest: digestSchema,
  /** Libraries that decide a verdict, by exact version. */
  libraries: z.record(z.string(), z.string()),
  solution: z.array(z.object({ path: relativePathSchema, digest: digestSchema })),
  contract: contractResultSchema,
  findings: z.array(tamperFindingSchema),
})
export type Regrade = z.infer<typeof regradeSchema>

/** Summaries of a run's regrades, one per line, oldest first. */
export const REGRADES_FILE = 'regrades.ndjson'

/** Parses the lines of a `regrades.ndjson`; a truncated line is skipped. */
export function parseRegradeLines(text: string): RegradeLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = regradeLineSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

/** Returns the newest regrade of each episode that does not agree with the seal. */
export function listDisagreeing(lines: readonly RegradeLine[]): RegradeLine[] {
  const last = new Map(lines.map((line) => [line.episodeId, line]))
  return [...last.values()].filter((line) => !line.agrees)
}

type Ending = { status: OutcomeStatus; verdict: Verdict | null }

/**
 * Returns how an episode would have ended with this verdict. Only the contract is evaluated again: results of earlier
 * phases (an exhausted budget, a fault of the harness, tampering seen in the workspace) stay.
 */
export function outcomeWithVerdict(
  before: Ending,
  { verdict, findings }: { verdict: Verdict; findings: number },
): Ending {
  const isContractsWord = ['solved', 'unsolved', 'subject-crashed'].includes(before.status)
  if (!isContractsWord) return { status: before.status, verdict }
  if (findings > 0) return { status: 'tampered', verdict }
  if (verdict === 'pass') return { status: 'solved', verdict }
  return { status: before.status === 'solved' ? 'unsolved' : before.status, verdict }
}

/** True if the regrade changes neither the ending of the episode nor its contract's verdict. */
export function agrees(before: Ending, after: Ending): boolean {
  return before.status === after.status && before.verdict === after.verdict
}

/** Maximum tries, with one verifier, of an evaluation that fails for internal reasons. */
export const MAX_TRIES = 3

const ending = z.object({ status: outcomeStatusSchema, verdict: verdictSchema.nullable() })

/**
 * Result of evaluating a stored solution again on this server, by the suite's own tests. `agreed` and `disagreed` are
 * final; `trouble` is an internal failure and retried; the others say why no evaluation was possible.
 */
const evaluationResultSchema = z.enum([
  'agreed',
  'disagreed',
  'trouble',
  // Only the envelope was received.
  'no-evidence',
  // Other files were received, but not the solution as sealed.
  'no-solution',
  // This server has another version of the task, or none.
  'no-task',
  // Untrusted code never runs outside a sandbox.
  'no-sandbox',
  // The environment that judges the task is not available on this server.
  'no-place',
  // A browser workflow is judged by its app's final state, which no longer exists.
  'browser',
])
export type EvaluationResult = z.infer<typeof evaluationResultSchema>

/**
 * `missing`: a model drove the subject, and the calls or the recording of its mode are incomplete. `contradicted`: the
 * log of calls contradicts the envelope.
 */
const modelEvidenceSchema = z.enum(['not-needed', 'whole', 'missing', 'contradicted'])
export type ModelEvidence = z.infer<typeof modelEvidenceSchema>

/** One evaluation of an episode that ran elsewhere; appended, never changed. */
export const evaluationSchema = z.object({
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  /** Seal of the evaluated envelope. */
  seal: digestSchema,
  /** Number of the episode's evaluation: 1, 2, 3 … */
  number: z.number().int().positive(),
  at: instantSchema,
  result: evaluationResultSchema,
  /** Reason as a sentence without its full stop; null = the result needs none. */
  reason: z.string().max(500).nullable(),
  /** Ending of the episode by this evaluation; null = nothing was judged. */
  after: ending.nullable(),
  /** Sandbox of the solution, and digest of the programs that judged; null = nothing ran. */
  verifier: verifierSchema.nullable(),
  modelEvidence: modelEvidenceSchema,
  /** Policy version of the evaluation; absent = 6 or earlier. */
  policyVersion: z.number().int().positive().optional(),
  /** The work is the untouched stub, and no recording shows what the agent did. */
  isUntouched: z.literal(true).optional(),
})
export type Evaluation = z.infer<typeof evaluationSchema>

/** Evaluation request to the runner: sealed envelopes of one suite, each with the folder of its files. */
export const evaluationRequestSchema = z.object({
  suiteId: z.string().max(200),
  episodes: z.array(
    z.object({
      /** The sealed envelope as text: it is parsed, and its seal checked, again. */
      envelope: z.string(),
      /** Absolute path; null = only the envelope was received. */
      folder: z.string().nullable(),
    }),
  ),
  /** Arms of the run's plan; absent = none. */
  arms: z.array(armSchema).optional(),
})
export type EvaluationRequest = z.infer<typeof evaluationRequestSchema>

/** Output of the runner, one line each: first its sandbox (null = none works here), then each episode. */
export const evaluationLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('verifier'),
    verifier: verifierSchema.nullable(),
    why: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('evaluated'),
    ...evaluationSchema.pick({ episodeId: true, result: true, reason: true, after: true }).shape,
    isUntouched: evaluationSchema.shape.isUntouched,
    /** A contradiction between the model's stored files and the envelope; absent = none. */
    modelEvidence: modelEvidenceSchema.extract(['missing', 'contradicted']).optional(),
  }),
])
export type EvaluationLine = z.infer<typeof evaluationLineSchema>
