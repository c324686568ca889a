import { z } from 'zod'
import { instantSchema } from '../names.ts'
import { RESTS_ON_SENDER } from './evaluated-here.ts'
import type { Evaluation } from './evaluation.ts'
import { foldEvaluations, needsEvaluation } from './fold-evaluations.ts'

/** Where judging one episode here stands, for its page and the API. */
export const evaluationViewSchema = z.object({
  state: z.enum(['agreed', 'disagreed', 'pending', 'impossible', 'browser']),
  /** Why, as a part of a sentence; null where the state says all. */
  reason: z.string().nullable(),
  /** Of the last look; null = nobody looked yet. */
  at: instantSchema.nullable(),
  looks: z.number().int().nonnegative(),
})
export type EvaluationView = z.infer<typeof evaluationViewSchema>

/** Null where nothing is to be judged: the episode ran here, was told of by another program, or counts for nobody. */
export function viewEvaluation(
  fact: Parameters<typeof needsEvaluation>[0],
  all: readonly Evaluation[],
): EvaluationView | null {
  if (!needsEvaluation(fact)) return null
  const [found] = foldEvaluations(all).values()
  const at = all.map((one) => one.at).sort()
  const shared = { at: at.at(-1) ?? null, looks: all.length }
  if (!found) return { state: 'pending', reason: null, ...shared }
  const reason = found.state === 'browser' ? RESTS_ON_SENDER : found.reason
  return { state: found.state, reason, ...shared }
}
