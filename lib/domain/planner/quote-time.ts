import type { PlanDraft } from '../plan.ts'
import { quantile } from '../statistics/quantile.ts'
import { findPrecedents } from './find-precedents.ts'
import type { PastEpisode } from './past-episode.ts'
import type { Quote } from './quote.ts'

export type TimeQuestion = {
  plan: Pick<PlanDraft, 'subject' | 'settings'>
  episodes: number
  past: readonly PastEpisode[]
  concurrency: number
}

/**
 * How long the subject will be at work, in milliseconds: episodes × past median / concurrency, without setting up and
 * grading. The range goes from the fastest to the slowest task's median.
 */
export function quoteTime({ plan, episodes, past, concurrency }: TimeQuestion): Quote {
  const rounds = episodes / concurrency
  const atMost = Math.ceil(rounds) * plan.settings.timeoutMs
  const [precedent] = findPrecedents(plan.subject, past)
  if (!precedent) {
    const basis = 'Unknown: there is no past episode of this agent or model on this suite.'
    return { expected: null, low: null, high: null, basis, atMost }
  }
  const times = precedent.episodes.map(({ subjectMs }) => subjectMs)
  const medians = medianByTask(precedent.episodes)
  return {
    expected: rounds * (quantile(times, 0.5) ?? 0),
    low: rounds * Math.min(...medians),
    high: rounds * Math.max(...medians),
    basis: `Based on ${precedent.words}. Agent time only, without grading.`,
    atMost,
  }
}

function medianByTask(episodes: readonly PastEpisode[]): number[] {
  const times = new Map<string, number[]>()
  for (const { taskId, subjectMs } of episodes) {
    const known = times.get(taskId)
    if (known) known.push(subjectMs)
    else times.set(taskId, [subjectMs])
  }
  return [...times.values()].map((values) => quantile(values, 0.5) ?? 0)
}
