import type { PlannedRun } from './build-board-input.ts'
import type { EpisodeFact } from './episode-fact.ts'

/** Two runs that share the content of at least so many episodes are no coincidence, nor is one that repeats its own. */
const FEWEST = 2

/**
 * Episodes whose content was kept before, under another run or another repetition: by episode id the id of the run that
 * it is a copy of. The run that came first is the original, whoever sent it; runs made here come before those that were sent. Pure; the order
 * given never matters.
 */
export function findCopies(
  facts: readonly EpisodeFact[],
  runs: readonly PlannedRun[],
): Map<string, string> {
  const order = new Map(runs.map((run) => [run.runId, run.order ?? Number.MAX_SAFE_INTEGER]))
  const sorted = [...facts].sort((a, b) => compare(rankOf(a, order), rankOf(b, order)))
  const first = new Map<string, EpisodeFact>()
  const found = new Map<string, { episodeId: string; from: string }[]>()
  for (const fact of sorted) {
    const from = findSource(fact, first)
    for (const mark of fact.origin?.marks ?? []) if (!first.has(mark)) first.set(mark, fact)
    if (from === undefined) continue
    const pair = `${fact.runId} ${from}`
    found.set(pair, [...(found.get(pair) ?? []), { episodeId: fact.episodeId, from }])
  }
  const copies = [...found.values()].filter((pair) => pair.length >= FEWEST).flat()
  return new Map(copies.map(({ episodeId, from }) => [episodeId, from]))
}

/**
 * The run in which the same content came before; undefined = none. In one run two attempts of a task may start at the same
 * instant and print the same, but not use the same tokens in the same tenths of a millisecond.
 */
function findSource(
  fact: EpisodeFact,
  first: ReadonlyMap<string, EpisodeFact>,
): string | undefined {
  const marks = fact.origin?.marks ?? []
  const before = marks.flatMap((mark) => {
    const one = first.get(mark)
    return one ? [{ mark, one }] : []
  })
  const elsewhere = before.find(({ one }) => one.runId !== fact.runId)
  const within = before.find(({ mark, one }) => {
    const isOther = one.repetition !== fact.repetition || one.attempt !== fact.attempt
    return one.runId === fact.runId && isOther && mark.startsWith('used:')
  })
  return (elsewhere ?? within)?.one.runId
}

function rankOf(fact: EpisodeFact, order: ReadonlyMap<string, number>) {
  const place = fact.provenance === 'local' ? 0 : 1
  return [place, order.get(fact.runId) ?? Number.MAX_SAFE_INTEGER, fact.runId, fact.episodeId]
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  if (at === -1) return 0
  return (a[at] as string | number) < (b[at] as string | number) ? -1 : 1
}
