import { z } from 'zod'
import { type Environment, verifierSchema } from '../environment.ts'
import { type Episode, isMeasured } from '../episode.ts'

/** Both results of grading a solution, and where it was graded. */
export const gradingSchema = z.object({
  /** Types, visible tests and their second run passed. */
  visible: z.boolean(),
  /** The held-out transcript is the reference's; null = the task has none. One that was not compared did not pass. */
  heldOut: z.boolean().nullable(),
  /** Null = the envelope is older than its record of the verifier. */
  verifier: verifierSchema.nullable(),
})
export type Grading = z.infer<typeof gradingSchema>

/**
 * Reads both results out of an envelope; undefined for browser workflows and where no contract was evaluated. A finding
 * of tampering puts every result in doubt, so beside one neither counts as passed.
 */
export function gradingFact(episode: Episode): Grading | undefined {
  if (!isMeasured(episode)) return undefined
  const { contract, integrity, environment, browser } = episode
  if (contract === null || contract.expectedTests === null || browser) return undefined
  const isClean = integrity.findings.length === 0
  const heldOut = contract.assertions.find(({ kind }) => kind === 'held-out')
  const others = contract.assertions.filter((assertion) => assertion !== heldOut)
  const failsByHeldOutAlone =
    heldOut?.verdict === 'fail' && others.every(({ verdict }) => verdict === 'pass')
  return {
    visible: isClean && (contract.verdict === 'pass' || failsByHeldOutAlone),
    heldOut: heldOut ? isClean && heldOut.verdict === 'pass' : null,
    verifier: verifierOf(environment),
  }
}

/** What a verdict that was corrected later leaves of both results: it says whether all passed, not which. */
export function regradedFact(grading: Grading, isPassed: boolean): Grading {
  return { ...grading, visible: isPassed, heldOut: grading.heldOut === null ? null : isPassed }
}

const verifierOf = ({ verifier }: Environment): Grading['verifier'] => verifier ?? null
