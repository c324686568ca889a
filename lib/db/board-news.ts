import type { Digest } from '../domain/record/index.ts'
import type { DbOrTx } from './db.ts'

/** Where the tables stand that a board is made from: what has not moved on need not be read. */
export type BoardNews = {
  /** The last entry of the ledger; 0 = there is none. */
  ledgerSequence: number
  /** Facts of new episodes wait to be copied. */
  hasPending: boolean
  /** The highest number of any fact; 0 = there is none. */
  lastFact: number
  /** Nothing removes a regrade. */
  regrades: number
  /** Of the stored board, with the ledger entry it obeys; null = none is stored. */
  digest: string | null
  storedSequence: number | null
}

/** All of it in one statement, since a client takes longer for a statement than the database does. */
export async function readBoardNews(db: DbOrTx, suiteDigest: Digest): Promise<BoardNews> {
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
