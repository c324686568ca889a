-- AlterTable
ALTER TABLE "BoardSnapshot" ADD COLUMN "rowOrder" TEXT;

-- CreateTable
CREATE TABLE "BoardRow" (
    "suiteDigest" TEXT NOT NULL,
    "rowId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    PRIMARY KEY ("suiteDigest", "rowId"),
    CONSTRAINT "BoardRow_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "BoardSnapshot" ("suiteDigest") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "BoardRow_suiteDigest_rowId_digest_idx" ON "BoardRow"("suiteDigest", "rowId", "digest");
