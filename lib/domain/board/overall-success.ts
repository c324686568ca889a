import { countEpisodes, type EpisodeFact, type EpisodeKind, isScored } from '../record/index.ts'
import type { BoardRow } from './board-row.ts'

/** Counts the scored episodes with `overallSuccess`. */
export function overallOf(kinds: readonly EpisodeKind[]): BoardRow['overall'] {
  const count = (isOne: (fact: EpisodeFact) => boolean) =>
    countEpisodes(kinds.filter(({ fact }) => isOne(fact)))
  return {
    succeeded: count(({ status, agentExit }) => status === 'solved' && agentExit === 'ok'),
    unknown: count(({ status, agentExit }) => status === 'solved' && agentExit === undefined),
    scored: count(({ status }) => isScored(status)),
  }
}
