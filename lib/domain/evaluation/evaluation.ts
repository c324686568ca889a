import { z } from 'zod'
import { verdictSchema } from '../contract.ts'
import { digestSchema } from '../digest.ts'
import { verifierSchema } from '../environment.ts'
import { instantSchema } from '../names.ts'
import { outcomeStatusSchema } from '../outcome.ts'

/** How often an evaluation that had trouble of its own is tried with one verifier. */
export const MOST_TRIES = 3

const ending = z.object({ status: outcomeStatusSchema, verdict: verdictSchema.nullable() })

/**
 * What became of judging a stored solution once more, here, by the suite's own tests. `agreed` and `disagreed` are
 * answers; `trouble` is ours and tried again; the rest say why there can be no answer.
 */
export const evaluationResultSchema = z.enum([
  'agreed',
  'disagreed',
  'trouble',
  // The envelope came alone.
  'no-evidence',
  // Other files came, the solution did not, or not as it was sealed.
  'no-solution',
  // This server has another version of the task, or none.
  'no-task',
  // Nothing of a stranger runs outside a sandbox.
  'no-sandbox',
  // A browser workflow is judged by what its app held at the end, which is gone.
  'browser',
])
export type EvaluationResult = z.infer<typeof evaluationResultSchema>

/** `missing`: a model drove the subject, and the calls or the recording that its mode stands for did not come whole. */
export const modelEvidenceSchema = z.enum(['not-needed', 'whole', 'missing'])
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
})
export type Evaluation = z.infer<typeof evaluationSchema>

/** What the runner is asked to judge: sealed envelopes of one suite, each with the folder of its files. */
export const evaluationOrderSchema = z.object({
  suiteId: z.string().max(200),
  episodes: z.array(
    z.object({
      /** The sealed envelope as text: it is parsed, and its seal checked, once more. */
      envelope: z.string(),
      /** Absolute; null = the envelope came alone. */
      folder: z.string().nullable(),
    }),
  ),
})
export type EvaluationOrder = z.infer<typeof evaluationOrderSchema>

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
  }),
])
export type EvaluationLine = z.infer<typeof evaluationLineSchema>
