import type { EpisodeFact } from '../../board/episode-fact.ts'
import { countOf, listNames } from '../list-names.ts'
import type { Complaint, Rule } from '../rule.ts'

/** Two counted episodes are two samples: neither the same envelope twice nor one recording replayed. */
export const independentRule: Rule = {
  code: 'independent',
  fromSeed: false,
  demand: () =>
    'No two counted episodes share an episode id or a recording, and none is a copy of an earlier run or of another attempt.',
  check: ({ facts, context }) => {
    const copied = new Set(facts.flatMap(({ episodeId }) => context.copies?.get(episodeId) ?? []))
    if (copied.size > 0) return copyComplaint(facts, context.copies as Copies, copied)

    const twice = repeats(facts.map((fact) => fact.episodeId))
    const replayed = repeats(facts.flatMap((fact) => fact.recordingDigest ?? []))
    if (twice + replayed === 0) return null
    const parts = [
      ...(twice > 0 ? [`${countOf(twice, 'episode')} counted twice`] : []),
      ...(replayed > 0
        ? [`${countOf(replayed, 'episode')} replayed from a recording that is already counted`]
        : []),
    ]
    return {
      reason: `The samples are not independent: ${parts.join(' and ')}.`,
      remedy: 'Run or record a new episode for each repetition.',
    }
  },
}

type Copies = ReadonlyMap<string, string>

function copyComplaint(
  facts: readonly EpisodeFact[],
  copies: Copies,
  runs: ReadonlySet<string>,
): Complaint {
  const copied = facts.filter(({ episodeId }) => copies.has(episodeId))
  const count = copied.length
  if (copied.every(({ episodeId, runId }) => copies.get(episodeId) === runId))
    return {
      reason: `${count} of ${facts.length} episodes are copies of another attempt of the same run: identical usage and duration.`,
      remedy: 'Run the plan again: each attempt counts once, under any repetition number.',
    }
  return {
    reason: `${count} of ${facts.length} episodes are copies of ${listNames(runs)}, which was received first: identical timestamps, usage or evidence.`,
    remedy: 'Run the plan again: each attempt counts once, under any run id.',
  }
}

function repeats(keys: readonly string[]): number {
  return keys.length - new Set(keys).size
}
