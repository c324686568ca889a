import { bySlot, compareText, type EpisodeFact, isScored, SlotMap } from '../record/index.ts'

/** The counted part of a set of attempts. */
export type CountedFacts = {
  /** The last attempt of each slot of each run. */
  counted: readonly EpisodeFact[]
  /** Counted episodes whose slot had an earlier attempt that was already scored. */
  retried: readonly EpisodeFact[]
}

/** Keeps the final attempt of every slot, sorted by run, task and repetition, whatever the input order. */
export function buildCountedFacts(facts: readonly EpisodeFact[]): CountedFacts {
  const slots = new SlotMap<EpisodeFact>()
  /** Attempts of the few slots that have more than one. */
  const repeated = new SlotMap<EpisodeFact[]>()
  for (const fact of facts) {
    const known = slots.get(fact)
    const attempts = repeated.get(fact)
    if (attempts) attempts.push(fact)
    else if (known) repeated.set(fact, [known, fact])
    else slots.set(fact, fact)
  }
  const retried: EpisodeFact[] = []
  for (const attempts of repeated.values()) {
    const last = attempts.sort(byAttempt).pop() as EpisodeFact
    slots.set(last, last)
    if (attempts.some((fact) => isScored(fact.status) && fact.episodeId !== last.episodeId))
      retried.push(last)
  }
  const counted = slots.values()
  return { counted: counted.sort(bySlot), retried: retried.sort(bySlot) }
}

function byAttempt(a: EpisodeFact, b: EpisodeFact): number {
  return (
    a.attempt - b.attempt ||
    compareText(a.startedAt, b.startedAt) ||
    compareText(a.episodeId, b.episodeId)
  )
}
