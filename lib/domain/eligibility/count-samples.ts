import type { EpisodeFact } from '../board/episode-fact.ts'
import { isScored } from '../outcome.ts'

/**
 * Independent scored samples: a recording counts once however often it is replayed, an episode once however often it
 * is handed in.
 */
export function countSamples(facts: readonly EpisodeFact[]): number {
  const scored = facts.filter((fact) => isScored(fact.status))
  return new Set(scored.map(sampleKey)).size
}

function sampleKey(fact: EpisodeFact): string {
  return fact.mode === 'recorded-real' && fact.recordingDigest
    ? fact.recordingDigest
    : fact.episodeId
}
