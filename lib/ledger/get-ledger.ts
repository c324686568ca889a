import { listRowPlaces } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { readLedger } from '#lib/db/ledger-store.ts'
import { findBrokenLink } from '#lib/domain/ledger/find-broken-link.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import { targetKind } from '#lib/domain/ledger/target-kind.ts'
import type { LedgerFilter, LedgerView } from '#lib/domain/views/ledger-view.ts'

const PAGE_SIZE = 50

/** One page of the ledger, newest first, and whether the whole chain holds. A page beyond the last is the last. */
export async function getLedger({ kind, target, page }: LedgerFilter): Promise<LedgerView> {
  const { entries, holds, broken } = await readWholeLedger()
  const matching = entries
    .filter(({ action }) => kind === null || action.kind === kind)
    .filter(({ action }) => target === '' || action.target === target)
    .reverse()
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_SIZE))
  const shown = Math.min(Math.max(1, page), pages)
  const last = entries.at(-1)
  const onPage = matching.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)
  const targets = onPage.map(({ action }) => action.target)
  return {
    entries: onPage,
    matching: matching.length,
    total: entries.length,
    page: shown,
    pages,
    head: last ? { sequence: last.sequence, hash: last.hash } : null,
    holds,
    broken,
    rows: await listRowPlaces(
      database(),
      targets.filter((target) => targetKind(target) === 'row'),
    ),
  }
}

export type WholeLedger = {
  /** Up to the first that cannot be read. */
  entries: LedgerEntry[]
  /** Which entry cannot be read, in one sentence; null = all can. */
  damaged: string | null
  holds: boolean
  /** Where the chain breaks, in one sentence; null = it holds. */
  broken: string | null
}

/** Every entry that can be read, oldest first, and whether the chain holds. */
export async function readWholeLedger(): Promise<WholeLedger> {
  const { entries, damaged } = await readLedger(database())
  const broken = findBrokenLink(entries)?.problem ?? damaged
  return { entries, damaged, holds: broken === null, broken }
}
