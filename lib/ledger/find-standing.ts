import { hasRow } from '#lib/db/board-store.ts'
import { findEpisode } from '#lib/db/episode-store.ts'
import type { DbOrTx } from '#lib/db/open-db.ts'
import { findRun } from '#lib/db/run-store.ts'
import { applyLedger } from '#lib/domain/ledger/apply-ledger.ts'
import { listIncluded } from '#lib/domain/ledger/board-input.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import type { Standing } from '#lib/domain/ledger/refuse-correction.ts'
import { targetKind } from '#lib/domain/ledger/target-kind.ts'

/** What is kept of a target, and how the ledger stands on it. */
export async function findStanding(
  tx: DbOrTx,
  target: string,
  entries: readonly LedgerEntry[],
): Promise<Standing> {
  const kind = targetKind(target)
  const ending = kind === 'episode' ? await findEnding(tx, target) : null
  const isKept = {
    run: async () => (await findRun(tx, target)) !== null,
    row: () => hasRow(tx, target),
    episode: async () => ending !== null,
  }
  return {
    kind,
    exists: kind !== null && (await isKept[kind]()),
    isIncluded: listIncluded(entries).has(target),
    isOwed: kind === 'run' && isOwed(target, entries),
    ending,
    state: applyLedger(entries),
  }
}

function isOwed(runId: string, entries: readonly LedgerEntry[]): boolean {
  return entries.some(
    ({ action }) =>
      action.kind === 'register' && action.runs.some((registered) => registered.runId === runId),
  )
}

async function findEnding(tx: DbOrTx, episodeId: string): Promise<Standing['ending']> {
  const record = await findEpisode(tx, episodeId)
  if (!record) return null
  const { outcome, contract, integrity } = record.episode
  const verdict = contract?.verdict ?? null
  return { status: outcome.status, verdict, findings: integrity?.findings.length ?? 0 }
}
