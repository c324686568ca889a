import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import {
  type AnyEpisode,
  canonicalJson,
  type EpisodeFact,
  episodeFact,
  isMeasured,
  sealedText,
} from '../domain/record/index.ts'
import { subjectId } from './subject-store.ts'

/** Prefix of a packed envelope, which JSON never has. */
const MARK = 'br:'
/** A shorter text hardly becomes shorter. */
const FEWEST_CHARACTERS = 1000
/** Brotli of this level takes 30 µs for a real envelope and 6 % more room than level 3, which takes 50 to 100 µs. */
const PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  [constants.BROTLI_PARAM_LGWIN]: 16,
}
/** More than any envelope has: what unpacks to more was not packed here. */
const MAX_BYTES = 256 * 1024 * 1024
/** About how many times an envelope is longer than its stored form; for memory limits. */
export const PACKED_SHARE = 8

/** An envelope as stored in its column: text in both databases, since no SQL reads its content. */
export function packEnvelope(text: string): string {
  if (text.length < FEWEST_CHARACTERS) return text
  const bytes = Buffer.from(text)
  const params = { ...PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return MARK + brotliCompressSync(bytes, { params }).toString('base64')
}

/** The canonical bytes of a stored envelope, packed or from before envelopes were. Throws where it is damaged. */
export function unpackEnvelope(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const packed = Buffer.from(stored.slice(MARK.length), 'base64')
  return brotliDecompressSync(packed, { maxOutputLength: MAX_BYTES }).toString('utf8')
}

/** A sealed envelope as stored in its column: results of other programs are short, and queried by a part of them. */
export function storedText(episode: AnyEpisode): string {
  const text = sealedText(episode)
  return isMeasured(episode) ? packEnvelope(text) : text
}

/** The facts as a row keeps them: provenance is a column of its own, since the envelope does not know it. */
type StoredFact = Omit<EpisodeFact, 'provenance'>

/** Facts as an earlier version may have stored them: newer fields are missing until they are derived again. */
type EarlierFact = Omit<StoredFact, 'metered'> & { metered?: boolean }

/** A stored fact with the defaults of newer fields; a usage without any number counts as none. */
export function readStoredFact(text: string): StoredFact {
  return completeFact(JSON.parse(text))
}

/** The same of a fact that was parsed already. */
export function completeFact(fact: EarlierFact): StoredFact {
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

/** Whether a stored fact equals the derived one byte for byte, or the form in which an earlier version stored it. */
export function isStoredFact(text: string, derived: string): boolean {
  if (text === derived) return true
  let fact: EarlierFact
  try {
    fact = JSON.parse(text)
  } catch {
    return false // damaged so far that it is not JSON any more
  }
  if (text !== canonicalJson(fact)) return false
  const stored = readStoredFact(text)
  if (stored.origin !== undefined) return canonicalJson(stored) === derived
  // Before origins were stored, a harness without a commit counted as clean where it said so.
  const { origin: _, unpinned, ...now }: StoredFact = JSON.parse(derived)
  const { unpinned: before, ...rest } = stored
  const known = unpinned.filter((field) => field !== 'harness commit' || before.includes(field))
  return (
    canonicalJson(rest) === canonicalJson(now) && canonicalJson(before) === canonicalJson(known)
  )
}

/** Every derived column of an episode, from its envelope alone: used when saving and when checking a database. */
export function rederiveEpisode(episode: AnyEpisode) {
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
