import { POLICY_VERSION } from '../domain/eligibility/index.ts'
import { type Sender, THIS_SERVER } from '../domain/ledger/index.ts'
import {
  type AnyEpisode,
  canonicalJson,
  type EpisodeFact,
  episodeFact,
  isMeasured,
  type Provenance,
  parseAnyEpisode,
  problemLines,
  sealedText,
} from '../domain/record/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import { appendLedger } from './ledger-store.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { describeInclude } from './seal-run.ts'
import { packEnvelope, unpackEnvelope } from './stored-envelope.ts'
import { saveSubject, subjectId } from './subject-store.ts'
import { inTransaction } from './transaction.ts'

type Receipt = {
  provenance: Provenance
  /** Folder of the evidence files, relative to the data directory; null = none came along. */
  directory: string | null
  receivedAt: Date
  /** The sender; absent = this machine, where the provenance is local, else unknown. */
  sender?: Sender
}

/** This machine's own runs have no other sender. */
const OWN_SENDER: Sender = {
  provenance: 'local',
  voucher: THIS_SERVER,
  name: 'server',
  bodyDigest: null,
}

/**
 * Stores one sealed episode whole or not at all. The same bytes again are a duplicate and change nothing; other bytes
 * under the same name are a conflict. The run must be stored before its episodes.
 */
export async function saveEpisode(
  db: Db,
  envelopeText: string,
  receipt: Receipt,
): Promise<'saved' | 'duplicate'> {
  const { sender: _, ...columns } = receipt
  const episode = readEnvelope(envelopeText)
  const envelope = storedText(episode)
  const work = inTransaction(db, async (tx) => {
    if (await isDuplicate(tx, episode)) return 'duplicate'
    await checkRun(tx, episode)
    const isFirst = (await tx.episode.findFirst({ where: { runId: episode.runId } })) === null
    await saveSubject(tx, episode.subject)
    await tx.episode.create({ data: { ...rederiveEpisode(episode), ...columns, envelope } })
    if (isFirst) await includeFirst(tx, episode.runId, receipt)
    return 'saved'
  })
  return withDatabaseErrors(() => work)
}

/** A sealed envelope as stored in its column: results of other programs are short, and queried by a part of them. */
export function storedText(episode: AnyEpisode): string {
  const text = sealedText(episode)
  return isMeasured(episode) ? packEnvelope(text) : text
}

function readEnvelope(text: string): AnyEpisode {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid-episode', 'the envelope is not JSON', { cause: error })
  }
  const parsed = parseAnyEpisode(input)
  if (parsed.ok) return parsed.value
  throw new AppError(
    'invalid-episode',
    `the envelope is refused: ${problemLines(parsed.problems, 3).join('; ')}`,
  )
}

async function isDuplicate(tx: DbOrTx, episode: AnyEpisode): Promise<boolean> {
  const { episodeId, runId, taskId, repetition, attempt } = episode
  const slot = { runId, taskId, repetition, attempt }
  const where = { OR: [{ episodeId }, slot] }
  const earlier = await tx.episode.findFirst({ where, select: { episodeId: true, envelope: true } })
  if (!earlier) return false
  const isSame = earlier.episodeId === episodeId
  if (isSame && unpackEnvelope(earlier.envelope) === sealedText(episode)) return true
  const message = `${episodeId} (${taskId}, repetition ${repetition}, attempt ${attempt} of ${runId}) is already stored with different content, which was not changed`
  throw new AppError('conflict', message)
}

async function checkRun(tx: DbOrTx, { runId, planDigest }: AnyEpisode): Promise<void> {
  const run = await tx.run.findUnique({ where: { runId }, select: { planDigest: true } })
  if (!run) throw new AppError('not-found', `run ${runId} is not stored: save its plan first`)
  if (run.planDigest === planDigest) return
  throw new AppError('invalid-episode', `the episode belongs to another plan than ${runId}`)
}

/** Includes a run in the ledger once its first episode is stored. */
export async function includeFirst(
  tx: DbOrTx,
  runId: string,
  receipt: Pick<Receipt, 'provenance' | 'receivedAt' | 'sender'>,
): Promise<void> {
  const { provenance, receivedAt } = receipt
  const sender = receipt.sender ?? (provenance === 'local' ? OWN_SENDER : undefined)
  const action = {
    ...(await describeInclude(tx, runId, provenance, sender && { sender, receivedAt })),
    policyVersion: POLICY_VERSION,
  }
  const draft = { author: 'server', reason: 'first episode received', action }
  await appendLedger(tx, draft, receivedAt)
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
