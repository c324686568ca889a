-- CreateTable
CREATE TABLE "RunProgress" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "sealed" INTEGER NOT NULL,
    "solved" INTEGER NOT NULL,
    "voids" INTEGER NOT NULL,
    "voidAttempts" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Change" (
    "area" TEXT NOT NULL PRIMARY KEY,
    "number" INTEGER NOT NULL
);

-- CreateIndex
CREATE INDEX "BoardSnapshot_suiteDigest_digest_computedAt_idx" ON "BoardSnapshot"("suiteDigest", "digest", "computedAt");

-- The progress of what is stored already: the latest attempt of each slot, counted once.
INSERT INTO "RunProgress" ("runId", "sealed", "solved", "voids", "voidAttempts")
SELECT "runId", SUM("isLast"), SUM("isLast" AND "status" = 'solved'), SUM("isLast" AND "status" = 'void'), SUM("status" = 'void')
FROM (
    SELECT "runId", "status", NOT EXISTS (
        SELECT 1 FROM "Episode" AS later
        WHERE later."runId" = e."runId" AND later."taskId" = e."taskId"
          AND later."repetition" = e."repetition" AND later."attempt" > e."attempt") AS "isLast"
    FROM "Episode" AS e)
GROUP BY "runId";

-- One more attempt replaces the one before it in its slot; an older one that arrives late changes no slot.
CREATE TRIGGER "Episode_counts_progress" AFTER INSERT ON "Episode" BEGIN
    INSERT INTO "RunProgress" ("runId", "sealed", "solved", "voids", "voidAttempts")
    VALUES (NEW."runId", 0, 0, 0, 0) ON CONFLICT ("runId") DO NOTHING;
    UPDATE "RunProgress" SET "voidAttempts" = "voidAttempts" + (NEW."status" = 'void') WHERE "runId" = NEW."runId";
    UPDATE "RunProgress" SET
        "sealed" = "sealed" + (before."status" IS NULL),
        "solved" = "solved" + (NEW."status" = 'solved') - COALESCE(before."status" = 'solved', 0),
        "voids" = "voids" + (NEW."status" = 'void') - COALESCE(before."status" = 'void', 0)
    FROM (
        SELECT (
            SELECT e."status" FROM "Episode" AS e
            WHERE e."runId" = NEW."runId" AND e."taskId" = NEW."taskId"
              AND e."repetition" = NEW."repetition" AND e."attempt" < NEW."attempt"
            ORDER BY e."attempt" DESC LIMIT 1) AS "status") AS before
    WHERE "RunProgress"."runId" = NEW."runId" AND NOT EXISTS (
        SELECT 1 FROM "Episode" AS later
        WHERE later."runId" = NEW."runId" AND later."taskId" = NEW."taskId"
          AND later."repetition" = NEW."repetition" AND later."attempt" > NEW."attempt");
END;

-- What kept pages show: each write of an area makes its number higher, and a page of an older number is rendered again.
INSERT INTO "Change" ("area", "number") VALUES ('board', 0), ('suite', 0), ('ledger', 0), ('episode', 0), ('run', 0), ('job', 0);
CREATE TRIGGER "BoardSnapshot_insert_changes" AFTER INSERT ON "BoardSnapshot" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'board'; END;
CREATE TRIGGER "BoardSnapshot_update_changes" AFTER UPDATE OF "board", "digest" ON "BoardSnapshot" WHEN OLD."digest" <> NEW."digest" OR OLD."board" <> NEW."board" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'board'; END;
CREATE TRIGGER "BoardSnapshot_delete_changes" AFTER DELETE ON "BoardSnapshot" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'board'; END;
CREATE TRIGGER "Suite_insert_changes" AFTER INSERT ON "Suite" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'suite'; END;
CREATE TRIGGER "Suite_update_changes" AFTER UPDATE ON "Suite" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'suite'; END;
CREATE TRIGGER "Suite_delete_changes" AFTER DELETE ON "Suite" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'suite'; END;
CREATE TRIGGER "LedgerEntry_insert_changes" AFTER INSERT ON "LedgerEntry" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'ledger'; END;
CREATE TRIGGER "Episode_insert_changes" AFTER INSERT ON "Episode" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode'; END;
CREATE TRIGGER "Episode_update_changes" AFTER UPDATE ON "Episode" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode'; END;
CREATE TRIGGER "Episode_delete_changes" AFTER DELETE ON "Episode" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode'; END;
CREATE TRIGGER "Evaluation_insert_changes" AFTER INSERT ON "Evaluation" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode'; END;
CREATE TRIGGER "PrunedFile_insert_changes" AFTER INSERT ON "PrunedFile" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode'; END;
CREATE TRIGGER "Run_insert_changes" AFTER INSERT ON "Run" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
CREATE TRIGGER "Run_update_changes" AFTER UPDATE ON "Run" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
CREATE TRIGGER "SubmittedRun_insert_changes" AFTER INSERT ON "SubmittedRun" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'run'; END;
CREATE TRIGGER "Job_insert_changes" AFTER INSERT ON "Job" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'job'; END;
CREATE TRIGGER "Job_update_changes" AFTER UPDATE OF "status", "reason", "runId", "newRunId", "startedAt", "endedAt", "priority", "cancelRequestedAt" ON "Job" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'job'; END;
CREATE TRIGGER "Job_delete_changes" AFTER DELETE ON "Job" BEGIN UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'job'; END;
