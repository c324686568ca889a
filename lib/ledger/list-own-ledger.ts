import { parseLedgerRows } from '#lib/archive/parse-ledger-rows.ts'
import { readKeptLedger } from '#lib/db/read-kept.ts'
import type { LedgerEntry } from '#lib/domain/ledger/ledger-entry.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'

/** This server's ledger, oldest first, read without changing the database; `target` narrows it. Throws an AppError. */
export function listOwnLedger(target?: string): LedgerEntry[] {
  const { databaseFile, migrationsDir } = env()
  const { entries, flaws } = parseLedgerRows(readKeptLedger(databaseFile, migrationsDir))
  if (flaws[0]) {
    const message = `${flaws[0].place}: ${flaws[0].problem}; see proofboard ledger verify`
    throw new AppError('conflict', message)
  }
  return entries.filter(({ action }) => target === undefined || action.target === target)
}
