-- Lists of episodes, latest first, are filtered in an index.
DROP INDEX "Episode_suiteDigest_idx";
DROP INDEX "Episode_startedAt_episodeId_idx";
CREATE INDEX "Episode_list_idx" ON "Episode"("startedAt", "episodeId", "status", "suiteId", "taskId", "subjectId");
CREATE INDEX "Episode_subjectId_startedAt_episodeId_idx" ON "Episode"("subjectId", "startedAt", "episodeId");
CREATE INDEX "Episode_taskId_suiteId_startedAt_episodeId_idx" ON "Episode"("taskId", "suiteId", "startedAt", "episodeId");
CREATE INDEX "Episode_suiteDigest_startedAt_episodeId_idx" ON "Episode"("suiteDigest", "startedAt", "episodeId");
CREATE INDEX "Episode_runId_status_failureCategory_idx" ON "Episode"("runId", "status", "failureCategory");
