-- AlterTable
ALTER TABLE "BoardSnapshot" ADD COLUMN     "rowOrder" TEXT COLLATE "C";

-- CreateTable
CREATE TABLE "BoardRow" (
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "rowId" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "BoardRow_pkey" PRIMARY KEY ("suiteDigest","rowId")
);

-- CreateIndex
CREATE INDEX "BoardRow_suiteDigest_rowId_digest_idx" ON "BoardRow"("suiteDigest", "rowId", "digest");

-- AddForeignKey
ALTER TABLE "BoardRow" ADD CONSTRAINT "BoardRow_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "BoardSnapshot"("suiteDigest") ON DELETE CASCADE ON UPDATE CASCADE;


