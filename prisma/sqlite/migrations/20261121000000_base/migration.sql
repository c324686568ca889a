-- CreateTable
CREATE TABLE "Episode" (
    "episodeId" TEXT NOT NULL PRIMARY KEY,
    "envelope" TEXT NOT NULL,
    "provenance" TEXT NOT NULL,
    "directory" TEXT,
    "receivedAt" DATETIME NOT NULL,
    "runId" TEXT NOT NULL,
    "planDigest" TEXT NOT NULL,
    "suiteId" TEXT NOT NULL,
    "suiteDigest" TEXT NOT NULL,
    "taskId" TEXT NOT NULL,
    "taskDigest" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "repetition" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "failureCategory" TEXT,
    "mode" TEXT NOT NULL,
    "verdict" TEXT,
    "startedAt" DATETIME NOT NULL,
    "totalMs" REAL NOT NULL,
    "seal" TEXT NOT NULL,
    "fact" TEXT NOT NULL,
    CONSTRAINT "Episode_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("runId") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Episode_subjectId_fkey" FOREIGN KEY ("subjectId") REFERENCES "Subject" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "payload" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "newRunId" TEXT,
    "runId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    CONSTRAINT "Job_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run" ("runId") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LedgerEntry" (
    "sequence" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "digest" TEXT,
    "reason" TEXT NOT NULL,
    "previousHash" TEXT,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Subject" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT,
    "adapterVersion" TEXT,
    "provider" TEXT,
    "modelRequested" TEXT
);

-- CreateTable
CREATE TABLE "Plan" (
    "planDigest" TEXT NOT NULL PRIMARY KEY,
    "suiteId" TEXT NOT NULL,
    "suiteDigest" TEXT NOT NULL,
    "subjectId" TEXT NOT NULL,
    "repetitions" INTEGER NOT NULL,
    "planned" INTEGER NOT NULL,
    "frozenAt" DATETIME NOT NULL,
    "document" TEXT NOT NULL,
    CONSTRAINT "Plan_subjectId_fkey" FOREIGN KEY ("subjectId") REFERENCES "Subject" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Run" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "planDigest" TEXT NOT NULL,
    "suiteId" TEXT NOT NULL,
    "provenance" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Run_planDigest_fkey" FOREIGN KEY ("planDigest") REFERENCES "Plan" ("planDigest") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Suite" (
    "digest" TEXT NOT NULL PRIMARY KEY,
    "suiteId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "protocolVersion" INTEGER NOT NULL,
    "sourceUrl" TEXT,
    "sourceRef" TEXT,
    "isCurrent" BOOLEAN NOT NULL,
    "savedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Task" (
    "suiteDigest" TEXT NOT NULL,
    "taskId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "difficulty" TEXT NOT NULL,
    "definition" TEXT NOT NULL,

    PRIMARY KEY ("suiteDigest", "taskId"),
    CONSTRAINT "Task_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "Suite" ("digest") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Episode_suiteDigest_idx" ON "Episode"("suiteDigest");

-- CreateIndex
CREATE UNIQUE INDEX "Episode_runId_taskId_repetition_attempt_key" ON "Episode"("runId", "taskId", "repetition", "attempt");

-- CreateIndex
CREATE UNIQUE INDEX "Job_newRunId_key" ON "Job"("newRunId");

-- CreateIndex
CREATE UNIQUE INDEX "Job_runId_key" ON "Job"("runId");

-- CreateIndex
CREATE INDEX "Job_status_createdAt_idx" ON "Job"("status", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "LedgerEntry_hash_key" ON "LedgerEntry"("hash");

-- CreateIndex
CREATE INDEX "Subject_name_idx" ON "Subject"("name");

-- CreateIndex
CREATE INDEX "Plan_suiteId_idx" ON "Plan"("suiteId");

-- CreateIndex
CREATE INDEX "Run_createdAt_idx" ON "Run"("createdAt");

-- CreateIndex
CREATE INDEX "Run_suiteId_idx" ON "Run"("suiteId");

-- CreateIndex
CREATE INDEX "Suite_suiteId_isCurrent_idx" ON "Suite"("suiteId", "isCurrent");
