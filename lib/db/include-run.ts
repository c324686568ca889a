import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import type { Sender } from '#lib/domain/ledger/registration-schema.ts'
import { withDatabaseErrors } from './database-error.ts'
import { appendLedger, findLastEntry } from './ledger-store.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { planFromRow } from './plan-store.ts'
import { parseShard, toProvenance } from './run-store.ts'

/** The entry that makes a kept run count, as its row stands; `receipt` = how it first came in, where that is known. */
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
    ...{ target: runId, planDigest, provenance, shard: parseShard(shard) },
    ...(receipt && receivedAt ? { receipt: { ...receipt.sender, receivedAt, frozenAt } } : {}),
    // What was run here has no sender.
    ...(voucher !== null && provenance !== 'local' ? { voucher } : {}),
  }
}

/** Includes every kept run with episodes that the ledger does not know; answers how many there were. */
export async function includeKeptRuns(db: Db, now: Date): Promise<number> {
  const work = db.$transaction(async (tx) => {
    const runs = await tx.run.findMany({
      where: { episodes: { some: {} } },
      select: { runId: true, episodes: { take: 1, orderBy: { receivedAt: 'asc' } } },
      orderBy: [{ createdAt: 'asc' }, { runId: 'asc' }],
    })
    let included = 0
    for (const { runId, episodes } of runs) {
      if (!episodes[0] || (await findLastEntry(tx, 'include', runId))) continue
      const action = await describeInclude(tx, runId, toProvenance(episodes[0].provenance))
      const reason = 'kept before the ledger was begun'
      await appendLedger(tx, { author: 'server', reason, action }, now)
      included++
    }
    return included
  })
  return withDatabaseErrors(() => work)
}
