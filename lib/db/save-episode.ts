import type { Sender } from '../domain/ledger/index.ts'
import {
  type AnyEpisode,
  type Provenance,
  parseAnyEpisode,
  sealedText,
} from '../domain/record/index.ts'
import { problemLines } from '../domain/text/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { afterLastSeal, includeFirst } from './seal-run.ts'
import { rederiveEpisode, storedText, unpackEnvelope } from './stored-episode.ts'
import { saveSubject } from './subject-store.ts'
import { inTransaction } from './transaction.ts'

type Receipt = {
  provenance: Provenance
  /** Evidence folder, relative to the data directory; null = there is none. */
  directory: string | null
  receivedAt: Date
  /** The sender; absent = this machine for local provenance, else unknown. */
  sender?: Sender
}

/**
 * Stores one sealed episode whole or not at all. The same bytes again are a duplicate and change nothing; other bytes
 * under the same name are a conflict. Its run must be stored first.
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
    const receivedAt = isFirst
      ? receipt.receivedAt
      : await afterLastSeal(tx, episode.runId, receipt.receivedAt)
    const data = { ...rederiveEpisode(episode), ...columns, receivedAt, envelope }
    await tx.episode.create({ data })
    if (isFirst) await includeFirst(tx, episode.runId, receipt)
    return 'saved'
  })
  return withDatabaseErrors(() => work)
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
