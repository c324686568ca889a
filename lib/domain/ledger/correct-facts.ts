import type { EpisodeFact } from '../board/episode-fact.ts'
import { regradedFact } from '../board/grading-fact.ts'
import type { LedgerState } from './apply-ledger.ts'

/**
 * The facts as the ledger has corrected them: episodes of removed runs are gone, invalidated episodes are void,
 * rescored ones have their new ending. The envelopes stay as they were sealed.
 */
export function correctFacts(facts: readonly EpisodeFact[], ledger: LedgerState): EpisodeFact[] {
  const { removed, invalidated, rescored } = ledger
  return facts.flatMap((fact) => {
    if (removed.has(fact.runId)) return []
    if (invalidated.has(fact.episodeId)) return { ...fact, status: 'void', verdict: null }
    const rescore = rescored.get(fact.episodeId)
    return rescore ? rescoredFact(fact, rescore) : fact
  })
}

function rescoredFact(
  fact: EpisodeFact,
  { status, verdict }: Pick<EpisodeFact, 'status' | 'verdict'>,
): EpisodeFact {
  const { grading } = fact
  const regraded = grading && { grading: regradedFact(grading, verdict === 'pass') }
  return { ...fact, status, verdict, ...regraded }
}
