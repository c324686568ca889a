import { ledgerKey, signHead } from '#lib/archive/ledger-key.ts'
import { database } from '#lib/db/database.ts'
import { findLastOfAll } from '#lib/db/ledger-store.ts'
import { describeHead, type LedgerKey, type SignedHead } from '#lib/domain/ledger/signed-head.ts'
import { env } from '#lib/env.ts'
import { listOwnLedger } from './list-own-ledger.ts'

/** The ledger's head, signed; null = the ledger is empty. The same ledger gives the same bytes. */
export async function getHead(): Promise<SignedHead | null> {
  const last = await findLastOfAll(database())
  return last && signHead(describeHead(last, null), env().dataDir)
}

/** The same without opening the database for writing: for a command beside a running server. Throws an AppError. */
export function readOwnHead(): SignedHead | null {
  const last = listOwnLedger().at(-1)
  return last ? signHead(describeHead(last, null), env().dataDir) : null
}

/** The public half of the key that this server signs with. */
export function getLedgerKey(): LedgerKey {
  return ledgerKey(env().dataDir)
}
