import { z } from 'zod'
import type { EpisodeFact } from '../board/episode-fact.ts'
import { type EvaluationState, needsEvaluation } from './fold-evaluations.ts'

const count = z.number().int().nonnegative()

/** Of a row's scored episodes that ran elsewhere: what this server found when it judged their solutions again. */
export const evaluatedHereSchema = z.object({
  agreed: count,
  disagreed: count,
  pending: count,
  /** No answer can be had; `reason` says why. */
  impossible: count,
  /** The commonest reason of the episodes that are in the way, or of those that rest on their sender's word. */
  reason: z.string().optional(),
})
export type EvaluatedHere = z.infer<typeof evaluatedHereSchema>

/** What is said of episodes that nobody can judge again. */
export const RESTS_ON_SENDER =
  'a browser workflow cannot be evaluated again: what its app held at the end is gone, so it rests on its sender'

/** Undefined where every episode ran here, was told of by another program, or counts for nobody. */
export function buildEvaluatedHere(
  counted: readonly EpisodeFact[],
  states: ReadonlyMap<string, EvaluationState>,
): EvaluatedHere | undefined {
  const outside = counted.filter(needsEvaluation)
  if (outside.length === 0) return undefined
  const own = outside.map(({ episodeId }) => states.get(episodeId))
  const of = (...wanted: (EvaluationState['state'] | undefined)[]) =>
    own.filter((one) => wanted.includes(one?.state)).length
  const reason = commonest(
    own.flatMap((one) => (one?.state === 'browser' ? RESTS_ON_SENDER : (one?.reason ?? []))),
  )
  return {
    agreed: of('agreed'),
    disagreed: of('disagreed'),
    pending: of('pending', undefined),
    impossible: of('impossible', 'browser'),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** In an order that does not depend on the episodes'. */
export function commonest(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0]
}
