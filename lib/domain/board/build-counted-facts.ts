import { isScored } from '../outcome.ts'
import type { EpisodeFact } from './episode-fact.ts'

/** What counts of a set of attempts. */
export type CountedFacts = {
  /** The last attempt of each slot of each run. */
  counted: EpisodeFact[]
  /** Counted episodes whose slot had an earlier attempt that was already scored. */
  retried: EpisodeFact[]
}

/** Keeps the final attempt of every slot, sorted by run, task and repetition: the order given never matters. */
export function buildCountedFacts(facts: readonly EpisodeFact[]): CountedFacts {
  const slots = new Map<string, EpisodeFact[]>()
  for (const fact of facts) {
    const key = `${fact.runId}/${fact.taskId}/${fact.repetition}`
    const attempts = slots.get(key)
    if (attempts) attempts.push(fact)
    else slots.set(key, [fact])
  }
  const counted: EpisodeFact[] = []
  const retried: EpisodeFact[] = []
  for (const attempts of slots.values()) {
    attempts.sort(byAttempt)
    const last = attempts.pop() as EpisodeFact
    counted.push(last)
    if (attempts.some((fact) => isScored(fact.status) && fact.episodeId !== last.episodeId))
      retried.push(last)
  }
  return { counted: counted.sort(bySlot), retried: retried.sort(bySlot) }
}

function byAttempt(a: EpisodeFact, b: EpisodeFact): number {
  return (
    a.attempt - b.attempt ||
    compareText(a.startedAt, b.startedAt) ||
    compareText(a.episodeId, b.episodeId)
  )
}

function bySlot(a: EpisodeFact, b: EpisodeFact): number {
  return (
    compareText(a.runId, b.runId) || compareText(a.taskId, b.taskId) || a.repetition - b.repetition
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
