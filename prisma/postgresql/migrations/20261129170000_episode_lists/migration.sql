-- DropIndex
DROP INDEX "Episode_suiteDigest_idx";

-- DropIndex
DROP INDEX "Episode_startedAt_episodeId_idx";

-- CreateIndex
CREATE INDEX "Episode_list_idx" ON "Episode"("startedAt", "episodeId", "status", "suiteId", "taskId", "subjectId");

-- CreateIndex
CREATE INDEX "Episode_subjectId_startedAt_episodeId_idx" ON "Episode"("subjectId", "startedAt", "episodeId");

-- CreateIndex
CREATE INDEX "Episode_taskId_suiteId_startedAt_episodeId_idx" ON "Episode"("taskId", "suiteId", "startedAt", "episodeId");

-- CreateIndex
CREATE INDEX "Episode_suiteDigest_startedAt_episodeId_idx" ON "Episode"("suiteDigest", "startedAt", "episodeId");

-- CreateIndex
CREATE INDEX "Episode_runId_status_failureCategory_idx" ON "Episode"("runId", "status", "failureCategory");


