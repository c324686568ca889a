import { type EpisodeFact, episodeFact } from '#lib/domain/board/episode-fact.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import type { Episode } from '#lib/domain/episode.ts'
import { subjectId } from './subject-store.ts'

/** The facts as a row keeps them: provenance is a column of its own, since the envelope does not know it. */
export type StoredFact = Omit<EpisodeFact, 'provenance'>

/** Facts as an earlier version may have kept them: what came later is missing until they are derived again. */
type EarlierFact = Omit<StoredFact, 'metered'> & { metered?: boolean }

/** A kept fact with what an earlier version did not keep; a usage without any number counts as none. */
export function readStoredFact(text: string): StoredFact {
  const fact: EarlierFact = JSON.parse(text)
  const metered = fact.metered ?? (fact.tokens !== null || fact.costMicroUsd !== null)
  const grading = fact.grading ?? earlierGrading(fact)
  return { ...fact, metered, ...(grading ? { grading } : {}) }
}

/** Before there were held-out transcripts, the visible tests were the whole contract. */
function earlierGrading(fact: EarlierFact): StoredFact['grading'] {
  const { verdict, findings, browser, settings } = fact
  if (verdict === null || browser || settings.browser !== undefined) return undefined
  return { visible: verdict === 'pass' && findings === 0, heldOut: null, verifier: null }
}

/** Whether a kept fact is, byte for byte, the derived one, or that one as an earlier version kept it. */
export function isFactAsKept(text: string, derived: string): boolean {
  if (text === derived) return true
  let fact: EarlierFact
  try {
    fact = JSON.parse(text)
  } catch {
    return false // damaged so far that it is not JSON any more
  }
  if (text !== canonicalJson(fact)) return false
  const kept = readStoredFact(text)
  if (kept.origin !== undefined) return canonicalJson(kept) === derived
  // Before origins were kept, a harness without a commit counted as clean where it said so.
  const { origin: _, unpinned, ...now }: StoredFact = JSON.parse(derived)
  const { unpinned: before, ...rest } = kept
  const known = unpinned.filter((field) => field !== 'harness commit' || before.includes(field))
  return (
    canonicalJson(rest) === canonicalJson(now) && canonicalJson(before) === canonicalJson(known)
  )
}

/** Every derived column of an episode, from its envelope alone: used when saving and when checking a database. */
export function rederiveEpisode(episode: Episode) {
  const { provenance: _, ...fact } = episodeFact(episode, 'manual')
  return {
    episodeId: episode.episodeId,
    runId: episode.runId,
    planDigest: episode.planDigest,
    suiteId: episode.suiteId,
    suiteDigest: episode.suiteDigest,
    taskId: episode.taskId,
    taskDigest: episode.taskDigest,
    subjectId: subjectId(episode.subject),
    repetition: episode.repetition,
    attempt: episode.attempt,
    status: episode.outcome.status,
    failureCategory: episode.failureCategory,
    mode: episode.mode,
    verdict: episode.contract?.verdict ?? null,
    startedAt: new Date(episode.startedAt),
    totalMs: episode.effort.wall.totalMs,
    seal: episode.seal,
    fact: canonicalJson(fact satisfies StoredFact),
  }
}
