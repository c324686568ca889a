import { z } from 'zod'
import { verifierSchema } from '../environment.ts'

const count = z.number().int().nonnegative()
const { sandbox, network, digest } = verifierSchema.shape

/** Both results of grading over the scored episodes of a row or a run; *solved* needs both. */
export const gradingFiguresSchema = z.object({
  /** Scored episodes. One whose solution was never graded, or with a finding of tampering, passed neither. */
  scored: count,
  visiblePassed: count,
  /** Scored episodes on tasks that have a held-out transcript. */
  heldOutScored: count,
  /** Null = no task has one: graded by visible tests only. */
  heldOutPassed: count.nullable(),
  /** Tasks with a scored episode, and those of them that have a held-out transcript. */
  tasks: count,
  heldOutTasks: count,
  /** Where solutions were graded and by which program; null = the envelopes are older than its record. */
  verifiers: z.array(
    z.object({
      sandbox: sandbox.nullable(),
      network: network.nullable(),
      digest: digest.nullable(),
      episodes: count,
    }),
  ),
})
export type GradingFigures = z.infer<typeof gradingFiguresSchema>

type VerifierField = 'sandbox' | 'network' | 'digest'

/** What all graded episodes have in common: one value, `mixed`, or null where it was not recorded. */
export function commonVerifier({ verifiers }: GradingFigures, field: VerifierField): string | null {
  const values = [...new Set(verifiers.map((verifier) => verifier[field]))]
  return values.length > 1 ? 'mixed' : (values[0] ?? null)
}
