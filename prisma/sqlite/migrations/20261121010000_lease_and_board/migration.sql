-- AlterTable
ALTER TABLE "Job" ADD COLUMN "leaseOwner" TEXT;
ALTER TABLE "Job" ADD COLUMN "leaseUntil" DATETIME;

-- CreateTable
CREATE TABLE "BoardSnapshot" (
    "suiteId" TEXT NOT NULL PRIMARY KEY,
    "board" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "computedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "pid" INTEGER NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "heartbeatAt" DATETIME NOT NULL
);
