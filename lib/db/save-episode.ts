import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import type { Episode } from '#lib/domain/episode.ts'
import type { Sender } from '#lib/domain/ledger/registration-schema.ts'
import { THIS_SERVER } from '#lib/domain/ledger/voucher-key.ts'
import { parseEpisode } from '#lib/domain/parse-episode.ts'
import { problemLines } from '#lib/domain/problem.ts'
import { AppError } from '#lib/errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import { describeInclude } from './include-run.ts'
import { appendLedger } from './ledger-store.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { rederiveEpisode } from './rederive-episode.ts'
import { saveSubject } from './subject-store.ts'

export type Receipt = {
  provenance: Provenance
  /** Folder of the evidence files, relative to the data directory; null = none came along. */
  directory: string | null
  receivedAt: Date
  /** Who sent it; absent = this machine, where the provenance is local, else nobody recorded it. */
  sender?: Sender
}

/** What this machine ran itself came from nobody else. */
const OWN_SENDER: Sender = {
  provenance: 'local',
  voucher: THIS_SERVER,
  name: 'server',
  bodyDigest: null,
}

/**
 * Keeps one sealed episode whole or not at all. The same bytes again are a duplicate and change nothing; other bytes
 * under the same name are a conflict. The run must be kept before its episodes.
 */
export async function saveEpisode(
  db: Db,
  envelopeText: string,
  receipt: Receipt,
): Promise<'saved' | 'duplicate'> {
  const { sender: _, ...columns } = receipt
  const episode = readEnvelope(envelopeText)
  const envelope = canonicalJson(episode)
  const work = db.$transaction(async (tx) => {
    if (await isDuplicate(tx, episode, envelope)) return 'duplicate'
    await checkRun(tx, episode)
    const isFirst = (await tx.episode.findFirst({ where: { runId: episode.runId } })) === null
    await saveSubject(tx, episode.subject)
    await tx.episode.create({ data: { ...rederiveEpisode(episode), ...columns, envelope } })
    if (isFirst) await includeFirst(tx, episode.runId, receipt)
    return 'saved'
  })
  return withDatabaseErrors(() => work)
}

function readEnvelope(text: string): Episode {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid-episode', 'the envelope is not JSON', { cause: error })
  }
  const parsed = parseEpisode(input)
  if (parsed.ok) return parsed.value
  throw new AppError(
    'invalid-episode',
    `the envelope is refused: ${problemLines(parsed.problems, 3).join('; ')}`,
  )
}

async function isDuplicate(tx: DbOrTx, episode: Episode, envelope: string): Promise<boolean> {
  const { episodeId, runId, taskId, repetition, attempt } = episode
  const slot = { runId, taskId, repetition, attempt }
  const where = { OR: [{ episodeId }, slot] }
  const earlier = await tx.episode.findFirst({ where, select: { episodeId: true, envelope: true } })
  if (!earlier) return false
  if (earlier.episodeId === episodeId && earlier.envelope === envelope) return true
  const message = `${episodeId} (${taskId}, repetition ${repetition}, attempt ${attempt} of ${runId}) is already stored with different content, which is kept`
  throw new AppError('conflict', message)
}

async function checkRun(tx: DbOrTx, { runId, planDigest }: Episode): Promise<void> {
  const run = await tx.run.findUnique({ where: { runId }, select: { planDigest: true } })
  if (!run) throw new AppError('not-found', `no run ${runId} is kept: its plan has to come first`)
  if (run.planDigest === planDigest) return
  throw new AppError('invalid-episode', `the episode belongs to another plan than ${runId}`)
}

/** Makes a run count, once its first episode is kept. */
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
