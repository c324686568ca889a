import { canonicalJson } from '#lib/domain/canonical-json.ts'
import {
  chainEntry,
  type LedgerDraft,
  type LedgerEntry,
  ledgerEntrySchema,
} from '#lib/domain/ledger/ledger-entry.ts'
import type { LedgerEntry as LedgerRow } from './generated/client.ts'
import type { DbOrTx } from './open-db.ts'

/** Adds the next entry. Call it inside a transaction: that holds the write lock, so no two entries share a place. */
export async function appendLedger(
  tx: DbOrTx,
  draft: LedgerDraft,
  now: Date,
): Promise<LedgerEntry> {
  const last = await tx.ledgerEntry.findFirst({ orderBy: { sequence: 'desc' } })
  const entry = chainEntry(last && toEntry(last), draft, { now: now.toISOString() })
  const { kind, target } = entry.action
  const action = canonicalJson(entry.action)
  await tx.ledgerEntry.create({ data: { ...entry, at: now, action, kind, target } })
  return entry
}

/** The whole ledger, oldest first. */
export async function listLedger(db: DbOrTx): Promise<LedgerEntry[]> {
  const rows = await db.ledgerEntry.findMany({ orderBy: { sequence: 'asc' } })
  return rows.map(toEntry)
}

function toEntry(row: LedgerRow): LedgerEntry {
  const action: unknown = JSON.parse(row.action)
  return ledgerEntrySchema.parse({ ...row, at: row.at.toISOString(), action })
}
