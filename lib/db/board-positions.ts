import type { Digest } from '../domain/digest/index.ts'
import type { DbOrTx } from './db.ts'

/** Positions of the tables that a board is built from. A table whose position is unchanged is not read again. */
export type BoardPositions = {
  /** Sequence of the last ledger entry; 0 = the ledger is empty. */
  ledgerSequence: number
  /** True while facts of new episodes are waiting to be copied. */
  hasPending: boolean
  /** The highest fact number; 0 = there are no facts. */
  lastFact: number
  /** Number of regrades, which only grows. */
  regrades: number
  /** Digest of the stored board and the ledger entry it includes; null = none is stored. */
  digest: string | null
  storedSequence: number | null
}

/** Reads all positions in one statement: the client spends more time on a statement than the database does. */
export async function readBoardPositions(db: DbOrTx, suiteDigest: Digest): Promise<BoardPositions> {
  const [row] = await db.$queryRaw<[Row]>`
    SELECT
      (SELECT MAX("sequence") FROM "LedgerEntry") AS "ledger",
      EXISTS (SELECT 1 FROM "PendingFact") AS "pending",
      (SELECT MAX("number") FROM "Fact") AS "fact",
      (SELECT COUNT(*) FROM "Regrade") AS "regrades",
      (SELECT "digest" FROM "BoardSnapshot" WHERE "suiteDigest" = ${suiteDigest}) AS "digest",
      (SELECT "ledgerSequence" FROM "BoardSnapshot" WHERE "suiteDigest" = ${suiteDigest}) AS "stored"`
  return {
    ledgerSequence: Number(row.ledger ?? 0),
    hasPending: Boolean(row.pending),
    lastFact: Number(row.fact ?? 0),
    regrades: Number(row.regrades),
    digest: row.digest,
    storedSequence: row.stored === null ? null : Number(row.stored),
  }
}

type Count = bigint | number
type Row = {
  ledger: Count | null
  pending: Count | boolean
  fact: Count | null
  regrades: Count
  digest: string | null
  stored: Count | null
}
