import type { Row } from '#lib/db/read-kept.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { findChainFlaws } from '#lib/domain/archive/ledger-document.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { type LedgerEntry, ledgerEntrySchema } from '#lib/domain/ledger/ledger-entry.ts'
import { compareColumns, type Flaws, readInstant, readJsonColumn } from './compare-columns.ts'

/** The ledger as its rows hold it, up to the first that cannot be read; every column and the chain are checked. */
export function parseLedgerRows(rows: readonly Row[]): Flaws & { entries: LedgerEntry[] } {
  const entries: LedgerEntry[] = []
  const columnFlaws: Flaw[] = []
  for (const row of rows) {
    const place = `entry ${row.sequence}`
    const at = readInstant(row.at)
    const parsed = ledgerEntrySchema.safeParse({ ...row, at, action: readJsonColumn(row.action) })
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      const problem = `cannot be read (${issue?.path.join('.')}: ${issue?.message})`
      return { entries, flaws: [{ place, problem }], columnFlaws }
    }
    const { kind, target } = parsed.data.action
    const action = canonicalJson(parsed.data.action)
    const columns = { ...parsed.data, at: new Date(parsed.data.at), action, kind, target }
    entries.push(parsed.data)
    columnFlaws.push(...compareColumns(place, row, columns))
  }
  return { entries, flaws: findChainFlaws(entries), columnFlaws }
}
