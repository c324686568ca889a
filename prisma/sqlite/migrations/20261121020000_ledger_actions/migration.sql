-- AlterTable
ALTER TABLE "Run" ADD COLUMN "shard" TEXT;

-- AlterTable
ALTER TABLE "Suite" ADD COLUMN "thresholds" TEXT;

-- Snapshots are computed anew by the worker when it starts.
DROP TABLE "BoardSnapshot";
CREATE TABLE "BoardSnapshot" (
    "suiteDigest" TEXT NOT NULL PRIMARY KEY,
    "suiteId" TEXT NOT NULL,
    "board" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "computedAt" DATETIME NOT NULL
);
CREATE INDEX "BoardSnapshot_suiteId_idx" ON "BoardSnapshot"("suiteId");

-- Entries gain an author and a typed action, which their hashes cover: the ledger starts anew, and the worker includes
-- the runs that are kept.
DROP TABLE "LedgerEntry";
CREATE TABLE "LedgerEntry" (
    "sequence" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "author" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "previousHash" TEXT,
    "hash" TEXT NOT NULL
);
CREATE UNIQUE INDEX "LedgerEntry_hash_key" ON "LedgerEntry"("hash");
CREATE INDEX "LedgerEntry_target_idx" ON "LedgerEntry"("target");
