import { POLICY_VERSION } from '../domain/eligibility/index.ts'
import {
  digestReceipts,
  digestRun,
  type LedgerAction,
  type Sender,
  THIS_SERVER,
} from '../domain/ledger/index.ts'
import type { Provenance } from '../domain/record/index.ts'
import { AppError } from '../errors.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { appendLedger, findLastEntry } from './ledger-store.ts'
import { planFromRow } from './plan-store.ts'
import { parseShard, toProvenance } from './run-store.ts'
import { inTransaction } from './transaction.ts'

/**
 * Writes the episodes of a run into the ledger once it has ended and all are stored; does nothing when they are there.
 * Throws for a run that lost or changed an episode since it was sealed: sealing again would hide that.
 */
export async function sealRun(
  db: Db,
  runId: string,
  now: Date,
): Promise<'sealed' | 'unchanged' | 'empty'> {
  return withDatabaseErrors(() => inTransaction(db, (tx) => sealRunWithin(tx, runId, now)))
}

/** Seals a run within a transaction that writes its episodes. See `sealRun`. */
export async function sealRunWithin(
  tx: DbOrTx,
  runId: string,
  now: Date,
): Promise<'sealed' | 'unchanged' | 'empty'> {
  const episodes = await listSeals(tx, runId)
  if (episodes.length === 0) return 'empty'
  const digest = digestRun(episodes)
  const earlier = await findLastEntry(tx, 'seal-run', runId)
  if (earlier?.action.digest === digest) return 'unchanged'
  if (earlier) {
    const known = episodes.filter(({ receivedAt }) => receivedAt <= new Date(earlier.at))
    if (digestRun(known) !== earlier.action.digest) throw lostEpisodesError(runId, earlier.sequence)
  }
  const action: LedgerAction = {
    kind: 'seal-run',
    target: runId,
    episodes: episodes.length,
    digest,
    receipts: digestReceipts(
      episodes.map((one) => ({ ...one, receivedAt: one.receivedAt.toISOString() })),
    ),
  }
  const reason = earlier ? 'the run was continued and has ended' : 'the run has ended'
  // A seal covers what was received up to its own time, even when the clock was changed.
  const times = episodes.map(({ receivedAt }) => receivedAt.getTime())
  const at = times.reduce((last, time) => Math.max(last, time), now.getTime())
  await appendLedger(tx, { author: 'server', reason, action }, new Date(at))
  return 'sealed'
}

/**
 * Returns `now`, or the first instant after the run's last seal when that is later: the seal does not cover what
 * arrives now.
 */
export async function afterLastSeal(tx: DbOrTx, runId: string, now: Date): Promise<Date> {
  const seal = await findLastEntry(tx, 'seal-run', runId)
  return seal ? new Date(Math.max(now.getTime(), Date.parse(seal.at) + 1)) : now
}

/** Lists inactive runs, ended or uploaded, with episodes that their seals do not cover. */
export async function listUnsealedRuns(db: DbOrTx): Promise<string[]> {
  const rows = await db.$queryRaw<{ runId: string }[]>`
    SELECT r."runId" AS "runId" FROM "Run" AS r
    WHERE NOT EXISTS (
        SELECT 1 FROM "Job" AS j WHERE j."runId" = r."runId" AND j."status" IN ('queued', 'running'))
      AND EXISTS (
        SELECT 1 FROM "Episode" AS e WHERE e."runId" = r."runId" AND NOT EXISTS (
          SELECT 1 FROM "LedgerEntry" AS l
          WHERE l."target" = r."runId" AND l."kind" = 'seal-run' AND l."at" >= e."receivedAt"))
    ORDER BY r."runId"`
  return rows.map(({ runId }) => runId)
}

async function listSeals(tx: DbOrTx, runId: string) {
  const select = { episodeId: true, seal: true, provenance: true, receivedAt: true }
  return tx.episode.findMany({ where: { runId }, select })
}

function lostEpisodesError(runId: string, sequence: number): AppError {
  const message = `${runId} no longer has the episodes that ledger entry ${sequence} sealed, so it is not sealed again: run proofboard server ledger verify`
  return new AppError('conflict', message)
}

/** Sender of runs measured on this machine. */
const LOCAL_SENDER: Sender = {
  provenance: 'local',
  voucher: THIS_SERVER,
  name: 'server',
  bodyDigest: null,
}

/** Includes a run in the ledger once its first episode is stored. */
export async function includeFirst(
  tx: DbOrTx,
  runId: string,
  receipt: { provenance: Provenance; receivedAt: Date; sender?: Sender },
): Promise<void> {
  const { provenance, receivedAt } = receipt
  const sender = receipt.sender ?? (provenance === 'local' ? LOCAL_SENDER : undefined)
  const action = {
    ...(await describeInclude(tx, runId, provenance, sender && { sender, receivedAt })),
    policyVersion: POLICY_VERSION,
  }
  const draft = { author: 'server', reason: 'first episode received', action }
  await appendLedger(tx, draft, receivedAt)
}

/** Builds the ledger action that includes a stored run; `receipt` = how it first arrived, if known. */
export async function describeInclude(
  tx: DbOrTx,
  runId: string,
  provenance: Provenance,
  receipt?: { sender: Sender; receivedAt: Date },
): Promise<LedgerAction & { kind: 'include' }> {
  const select = { shard: true, plan: true, voucher: true }
  const { shard, plan, voucher } = await tx.run.findUniqueOrThrow({ where: { runId }, select })
  const { planDigest, frozenAt } = planFromRow(plan)
  const receivedAt = receipt?.receivedAt.toISOString()
  return {
    kind: 'include',
    target: runId,
    planDigest,
    provenance,
    shard: parseShard(shard),
    ...(receipt && receivedAt ? { receipt: { ...receipt.sender, receivedAt, frozenAt } } : {}),
    // Local runs have no sender.
    ...(voucher !== null && provenance !== 'local' ? { voucher } : {}),
  }
}

/** Includes every stored run with episodes that the ledger lacks; returns their number. */
export async function includeStoredRuns(db: Db, now: Date): Promise<number> {
  const work = inTransaction(db, async (tx) => {
    const runs = await listRunsToInclude(tx)
    for (const { runId, provenance } of runs) {
      const action = await describeInclude(tx, runId, toProvenance(provenance))
      const reason = 'stored before the ledger was started'
      await appendLedger(tx, { author: 'server', reason, action }, now)
    }
    return runs.length
  })
  return withDatabaseErrors(() => work)
}

/**
 * Lists runs with episodes that no entry includes, oldest first, with the provenance of the first episode. Usually
 * empty.
 */
function listRunsToInclude(tx: DbOrTx): Promise<{ runId: string; provenance: string }[]> {
  return tx.$queryRaw`
    SELECT r."runId" AS "runId", (
      SELECT e."provenance" FROM "Episode" AS e WHERE e."runId" = r."runId" ORDER BY e."receivedAt" LIMIT 1) AS "provenance"
    FROM "Run" AS r
    WHERE EXISTS (SELECT 1 FROM "Episode" AS e WHERE e."runId" = r."runId")
      AND NOT EXISTS (SELECT 1 FROM "LedgerEntry" AS l WHERE l."target" = r."runId" AND l."kind" = 'include')
    ORDER BY r."createdAt", r."runId"`
}
