import type { Provenance } from '#lib/domain/board/episode-fact.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import { withDatabaseErrors } from './database-error.ts'
import { appendLedger, findLastEntry } from './ledger-store.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { parseShard, toProvenance } from './run-store.ts'

/** The entry that makes a kept run count, as its row stands. */
export async function describeInclude(
  tx: DbOrTx,
  runId: string,
  provenance: Provenance,
): Promise<LedgerAction & { kind: 'include' }> {
  const select = { shard: true, planDigest: true, voucher: true }
  const { shard, planDigest, voucher } = await tx.run.findUniqueOrThrow({
    where: { runId },
    select,
  })
  return {
    kind: 'include',
    target: runId,
    planDigest,
    provenance,
    shard: parseShard(shard),
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
