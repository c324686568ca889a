import type { PlannedRun } from './build-board-input.ts'
import type { EpisodeFact } from './episode-fact.ts'

/** Two runs that share the content of at least so many episodes are no coincidence. */
const FEWEST = 2

/**
 * Episodes whose content was kept before under another run: by episode id the id of the run that it is a copy of. The
 * run that came first is the original, whoever sent it; runs made here come before those that were sent. Pure; the order
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
    const known = (fact.origin?.marks ?? []).map((mark) => first.get(mark)?.runId)
    const from = known.find((runId) => runId !== undefined && runId !== fact.runId)
    for (const mark of fact.origin?.marks ?? []) if (!first.has(mark)) first.set(mark, fact)
    if (from === undefined) continue
    const pair = `${fact.runId} ${from}`
    found.set(pair, [...(found.get(pair) ?? []), { episodeId: fact.episodeId, from }])
  }
  const copies = [...found.values()].filter((pair) => pair.length >= FEWEST).flat()
  return new Map(copies.map(({ episodeId, from }) => [episodeId, from]))
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
