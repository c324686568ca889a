import { z } from 'zod'
import { digestSchema } from './digest.ts'
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
import { parseJson } from './text.ts'

const endingSchema = z.object({ status: outcomeStatusSchema, verdict: verdictSchema.nullable() })

/** What a regrade found, in short: one line of a run's `regrades.ndjson`. */
export const regradeLineSchema = z.object({
  at: instantSchema,
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  /** The whole record, relative to the run's folder. */
  path: relativePathSchema,
  /** The harness whose gate judged, and its commit where it is known. */
  gate: z.object({ version: z.string().max(60), commit: z.string().max(80).nullable() }),
  before: endingSchema,
  after: endingSchema,
  agrees: z.boolean(),
})
export type RegradeLine = z.infer<typeof regradeLineSchema>

/** `regrade-N.json` next to an episode: the contract evaluated once more from the stored solution. The envelope stays. */
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

/** Where a run keeps the short form of its regrades, one a line, oldest first. */
export const REGRADES_FILE = 'regrades.ndjson'

/** The lines of a `regrades.ndjson`; one that was cut short is passed over. */
export function parseRegradeLines(text: string): RegradeLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = regradeLineSchema.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

/** The newest regrade of each episode that does not agree with what was sealed. */
export function listDisagreeing(lines: readonly RegradeLine[]): RegradeLine[] {
  const last = new Map(lines.map((line) => [line.episodeId, line]))
  return [...last.values()].filter((line) => !line.agrees)
}

type Ending = { status: OutcomeStatus; verdict: Verdict | null }

/**
 * How an episode would have ended with this verdict. Only the contract is evaluated again: what an earlier phase had
 * named (a spent budget, a fault of ours, tampering seen in the workspace) stays.
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

/** True where the regrade changes neither how the episode ended nor what its contract said. */
export function agrees(before: Ending, after: Ending): boolean {
  return before.status === after.status && before.verdict === after.verdict
}

/** How often an evaluation that failed for internal reasons is tried with one verifier. */
export const MAX_TRIES = 3

const ending = z.object({ status: outcomeStatusSchema, verdict: verdictSchema.nullable() })

/**
 * Result of evaluating a stored solution again, here, by the suite's own tests. `agreed` and `disagreed` are
 * answers; `trouble` is an internal failure and retried; the others say why there is no answer.
 */
const evaluationResultSchema = z.enum([
  'agreed',
  'disagreed',
  'trouble',
  // The envelope came alone.
  'no-evidence',
  // Other files came, the solution did not, or not as it was sealed.
  'no-solution',
  // This server has another version of the task, or none.
  'no-task',
  // Untrusted code never runs outside a sandbox.
  'no-sandbox',
  // What the task is judged in cannot be had on this server.
  'no-place',
  // A browser workflow is judged by what its app held at the end, which is gone.
  'browser',
])
export type EvaluationResult = z.infer<typeof evaluationResultSchema>

/**
 * `missing`: a model drove the subject, and the calls or the recording of its mode are incomplete. `contradicted`: the
 * log of calls has other figures than the envelope.
 */
const modelEvidenceSchema = z.enum(['not-needed', 'whole', 'missing', 'contradicted'])
export type ModelEvidence = z.infer<typeof modelEvidenceSchema>

/** One look at an episode that ran elsewhere; appended, never changed. */
export const evaluationSchema = z.object({
  episodeId: z.string().regex(/^ep_[0-9a-f]{32}$/),
  /** The very envelope. */
  seal: digestSchema,
  /** 1, 2, 3 … of the episode. */
  number: z.number().int().positive(),
  at: instantSchema,
  result: evaluationResultSchema,
  /** Why, in a sentence without its full stop; null where the result says all. */
  reason: z.string().max(500).nullable(),
  /** How the episode would have ended by this evaluation; null = nothing was judged. */
  after: ending.nullable(),
  /** Where the solution ran and the digest of the programs that judged; null = nothing ran. */
  verifier: verifierSchema.nullable(),
  modelEvidence: modelEvidenceSchema,
  /** The version of the evidence rules by which it was evaluated; absent = 6 or earlier. */
  policyVersion: z.number().int().positive().optional(),
  /** The work is the untouched stub, and no recording shows what the agent did. */
  isUntouched: z.literal(true).optional(),
})
export type Evaluation = z.infer<typeof evaluationSchema>

/** What the runner has to evaluate: sealed envelopes of one suite, each with the folder of its files. */
export const evaluationRequestSchema = z.object({
  suiteId: z.string().max(200),
  episodes: z.array(
    z.object({
      /** The sealed envelope as text: it is parsed, and its seal checked, once more. */
      envelope: z.string(),
      /** Absolute; null = the envelope came alone. */
      folder: z.string().nullable(),
    }),
  ),
  /** The arms of the run's plan; absent = it has none. */
  arms: z.array(armSchema).optional(),
})
export type EvaluationRequest = z.infer<typeof evaluationRequestSchema>

/** What the runner answers, a line each: first where it judges (null = no sandbox works here), then each episode. */
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
    /** A contradiction between the stored files of the model and the envelope; absent = none. */
    modelEvidence: modelEvidenceSchema.extract(['missing', 'contradicted']).optional(),
  }),
])
export type EvaluationLine = z.infer<typeof evaluationLineSchema>
