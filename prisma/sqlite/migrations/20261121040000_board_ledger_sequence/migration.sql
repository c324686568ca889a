-- AlterTable
ALTER TABLE "BoardSnapshot" ADD COLUMN "ledgerSequence" INTEGER NOT NULL DEFAULT 0;
