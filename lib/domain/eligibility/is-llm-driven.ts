import type { EpisodeFact } from '../board/episode-fact.ts'

/** True when a language model drove the subject: it is an agent, or a model was asked for or answered. */
export function isLlmDriven({ subject, modelObserved }: EpisodeFact): boolean {
  return subject.kind === 'agent' || subject.modelRequested !== null || modelObserved.length > 0
}
