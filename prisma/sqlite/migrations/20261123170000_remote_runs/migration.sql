-- CreateTable
CREATE TABLE "RemoteRun" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "executor" TEXT NOT NULL,
    "shards" INTEGER NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "tokenExpiresAt" DATETIME NOT NULL,
    "tokenRevokedAt" DATETIME,
    "launch" INTEGER NOT NULL DEFAULT 1,
    "engineId" TEXT,
    "engineUrl" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "RemoteShard" (
    "runId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "host" TEXT,
    "planned" INTEGER NOT NULL,
    "sealed" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "journal" TEXT NOT NULL DEFAULT '',
    "startedAt" DATETIME,
    "reportedAt" DATETIME,
    "endedAt" DATETIME,

    PRIMARY KEY ("runId", "number"),
    CONSTRAINT "RemoteShard_runId_fkey" FOREIGN KEY ("runId") REFERENCES "RemoteRun" ("runId") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "RemoteRun_tokenHash_key" ON "RemoteRun"("tokenHash");
