import { countOf } from '../list-names.ts'
import type { Rule } from '../rule.ts'

/** Two counted episodes are two samples: neither the same envelope twice nor one recording replayed. */
export const independentRule: Rule = {
  code: 'independent',
  fromSeed: false,
  demand: () => 'No two counted episodes share an episode id or a recording.',
  check: ({ facts }) => {
    const twice = repeats(facts.map((fact) => fact.episodeId))
    const replayed = repeats(facts.flatMap((fact) => fact.recordingDigest ?? []))
    if (twice + replayed === 0) return null
    const parts = [
      ...(twice > 0 ? [`${countOf(twice, 'episode')} counted twice`] : []),
      ...(replayed > 0
        ? [`${countOf(replayed, 'episode')} replayed from a recording that already counts`]
        : []),
    ]
    return {
      reason: `The samples are not independent: ${parts.join(' and ')}.`,
      remedy: 'Record or run a fresh episode for each repetition.',
    }
  },
}

function repeats(keys: readonly string[]): number {
  return keys.length - new Set(keys).size
}
