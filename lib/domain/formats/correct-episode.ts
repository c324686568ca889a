import type { Correction, LedgerState } from '../ledger/index.ts'
import type { AnyEpisode, OutcomeStatus, Verdict } from '../record/index.ts'

/**
 * Applies the ledger's corrections to an episode's ending; everything else stays as sealed, including the seal. Counts
 * in an exported file then match the rate of its entry.
 */
export function correctEpisode<E extends AnyEpisode>(episode: E, ledger: LedgerState): E {
  const invalidated = ledger.invalidated.get(episode.episodeId)
  if (invalidated) {
    const outcome = { status: 'void', fault: 'infrastructure', reason: say(invalidated) } as const
    return { ...episode, outcome, overallSuccess: false }
  }
  const rescored = ledger.rescored.get(episode.episodeId)
  return rescored ? rescoredEpisode(episode, rescored) : episode
}

type Rescore = Correction & { status: OutcomeStatus; verdict: Verdict | null }

function rescoredEpisode<E extends AnyEpisode>(episode: E, rescore: Rescore): E {
  const { status, verdict } = rescore
  const isSolved = status === 'solved'
  const contract = episode.contract && verdict ? { ...episode.contract, verdict } : null
  return {
    ...episode,
    outcome: endingOf(episode, rescore),
    contract,
    testSuccess: verdict === 'pass',
    overallSuccess: isSolved,
    failureCategory: isSolved ? null : (episode.failureCategory ?? 'test-failure'),
  }
}

/** A regrade does not change failures of an earlier phase: a spent budget, a crash, a void attempt. */
function endingOf({ outcome }: AnyEpisode, rescore: Rescore): AnyEpisode['outcome'] {
  const { status } = rescore
  if (status === outcome.status) return outcome
  if (status === 'solved') return { status }
  const reason = say(rescore)
  if (status === 'tampered') return { status, findings: [{ code: 'regrade', detail: reason }] }
  return { status: 'unsolved', reason }
}

function say({ sequence, reason }: Correction): string {
  return `corrected by ledger entry ${sequence}: ${reason}`
}
