import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { parseJson } from '#lib/domain/text/index.ts'
import { canonicalJson } from '../domain/digest/index.ts'
import {
  type AnyEpisode,
  type EpisodeFact,
  episodeFact,
  isMeasured,
  sealedText,
} from '../domain/record/index.ts'
import { subjectId } from './subject-store.ts'

/** Prefix of a compressed envelope, which JSON never has. */
const MARK = 'br:'
/** Shorter texts hardly compress. */
const MIN_PACKED_CHARACTERS = 1000
/** This Brotli level takes 30 µs for a real envelope and 6 % more space than level 3, which takes 50 to 100 µs. */
const PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 1,
  [constants.BROTLI_PARAM_LGWIN]: 16,
}
/** Limit for decompression, larger than any envelope. */
const MAX_BYTES = 256 * 1024 * 1024
/** Typical ratio of an envelope's length to its stored form, for memory limits. */
export const PACKED_SHARE = 8

/** Compresses an envelope for its column: text in both databases, since no SQL reads its content. */
export function packEnvelope(text: string): string {
  if (text.length < MIN_PACKED_CHARACTERS) return text
  const bytes = Buffer.from(text)
  const params = { ...PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return MARK + brotliCompressSync(bytes, { params }).toString('base64')
}

/**
 * Returns the canonical bytes of a stored envelope, compressed or plain (earlier versions). Throws when it is damaged.
 */
export function unpackEnvelope(stored: string): string {
  if (!stored.startsWith(MARK)) return stored
  const packed = Buffer.from(stored.slice(MARK.length), 'base64')
  return brotliDecompressSync(packed, { maxOutputLength: MAX_BYTES }).toString('utf8')
}

/**
 * Returns a sealed envelope as stored. Results of other programs are short and queried by their content, so they stay
 * plain.
 */
export function storedText(episode: AnyEpisode): string {
  const text = sealedText(episode)
  return isMeasured(episode) ? packEnvelope(text) : text
}

/** Facts as stored in a row: provenance is a separate column, since the envelope does not contain it. */
type StoredFact = Omit<EpisodeFact, 'provenance'>

/** Facts as an earlier version may have stored them: newer fields are missing until they are derived again. */
type EarlierFact = Omit<StoredFact, 'metered'> & { metered?: boolean }

/** Parses a stored fact and fills in newer fields; a usage without any number becomes null. */
export function readStoredFact(text: string): StoredFact {
  return completeFact(JSON.parse(text))
}

/** Fills in the newer fields of a parsed fact. */
export function completeFact(fact: EarlierFact): StoredFact {
  const metered = fact.metered ?? (fact.tokens !== null || fact.costMicroUsd !== null)
  const grading = fact.grading ?? earlierGrading(fact)
  return { ...fact, metered, ...(grading ? { grading } : {}) }
}

/** Returns the grading of facts from before held-out transcripts, when the visible tests were the whole contract. */
function earlierGrading(fact: EarlierFact): StoredFact['grading'] {
  const { verdict, findings, browser, settings, escrow } = fact
  if (verdict === null || browser || escrow || settings.browser !== undefined) return undefined
  return { visible: verdict === 'pass' && findings === 0, heldOut: null, verifier: null }
}

/** Returns whether a stored fact equals the derived one byte for byte, or in the form of an earlier version. */
export function isStoredFact(text: string, derived: string): boolean {
  if (text === derived) return true
  const fact = parseJson(text)
  if (fact === undefined || text !== canonicalJson(fact)) return false
  const stored = readStoredFact(text)
  const expected: StoredFact = JSON.parse(derived)
  // Before exits of agents were facts.
  if (stored.agentExit === undefined) delete expected.agentExit
  if (stored.origin !== undefined) return canonicalJson(stored) === canonicalJson(expected)
  // Before origins were stored, a harness without a commit counted as clean if it said so.
  const { origin: _, unpinned, ...now } = expected
  const { unpinned: before, ...rest } = stored
  const known = unpinned.filter((field) => field !== 'harness commit' || before.includes(field))
  return (
    canonicalJson(rest) === canonicalJson(now) && canonicalJson(before) === canonicalJson(known)
  )
}

/** Derives every column of an episode from its envelope, for saving and for checking a database. */
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
    verdict: fact.verdict,
    startedAt: new Date(episode.startedAt),
    totalMs: episode.effort.wall.totalMs,
    seal: episode.seal,
    fact: canonicalJson(fact satisfies StoredFact),
  }
}
