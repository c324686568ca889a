import type { Correction, LedgerState } from '../ledger/index.ts'
import type { AnyEpisode, OutcomeStatus, Verdict } from '../record/index.ts'

/**
 * An episode as it counts: with the ending that the ledger gave it. Everything else stays as it was sealed, the seal too.
 * What a file counts then fits the rate of its entry.
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
    ...{ outcome: endingOf(episode, rescore), contract },
    ...{ testSuccess: verdict === 'pass', overallSuccess: isSolved },
    failureCategory: isSolved ? null : (episode.failureCategory ?? 'test-failure'),
  }
}

/** A regrade leaves what an earlier phase had named: a spent budget, a crash, a void attempt. */
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
