import type { EpisodeFact } from '../board/episode-fact.ts'

/** True when a language model drove the subject: it is an agent, or a model was asked for or answered. */
export function isLlmDriven({ subject, modelObserved, browser }: EpisodeFact): boolean {
  const isAsked = subject.kind === 'agent' || subject.modelRequested !== null
  return isAsked || modelObserved.length > 0 || browser?.driven === 'llm'
}
