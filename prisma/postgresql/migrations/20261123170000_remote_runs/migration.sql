-- CreateTable
CREATE TABLE "RemoteRun" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "executor" TEXT COLLATE "C" NOT NULL,
    "shards" INTEGER NOT NULL,
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "tokenExpiresAt" TIMESTAMP(3) NOT NULL,
    "tokenRevokedAt" TIMESTAMP(3),
    "launch" INTEGER NOT NULL DEFAULT 1,
    "engineId" TEXT COLLATE "C",
    "engineUrl" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RemoteRun_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "RemoteShard" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "host" TEXT COLLATE "C",
    "planned" INTEGER NOT NULL,
    "sealed" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT COLLATE "C",
    "journal" TEXT COLLATE "C" NOT NULL DEFAULT '',
    "startedAt" TIMESTAMP(3),
    "reportedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "RemoteShard_pkey" PRIMARY KEY ("runId","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "RemoteRun_tokenHash_key" ON "RemoteRun"("tokenHash");

-- AddForeignKey
ALTER TABLE "RemoteShard" ADD CONSTRAINT "RemoteShard_runId_fkey" FOREIGN KEY ("runId") REFERENCES "RemoteRun"("runId") ON DELETE RESTRICT ON UPDATE CASCADE;


