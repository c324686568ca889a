-- CreateTable
CREATE TABLE "Fact" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "episodeId" TEXT NOT NULL,
    "suiteDigest" TEXT NOT NULL,
    "part" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "provenance" TEXT NOT NULL,
    "fact" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "FactMark" (
    "mark" TEXT NOT NULL,
    "number" INTEGER NOT NULL,

    PRIMARY KEY ("mark", "number")
);

-- CreateTable
CREATE TABLE "PendingFact" (
    "episodeId" TEXT NOT NULL PRIMARY KEY
);

-- CreateIndex
CREATE UNIQUE INDEX "Fact_episodeId_key" ON "Fact"("episodeId");

-- CreateIndex
CREATE INDEX "Fact_suiteDigest_part_idx" ON "Fact"("suiteDigest", "part");

-- CreateIndex
CREATE INDEX "Fact_runId_idx" ON "Fact"("runId");

-- CreateIndex
CREATE INDEX "FactMark_number_idx" ON "FactMark"("number");

-- What is stored already waits like what arrives from now on: the worker copies the facts in batches.
INSERT INTO "PendingFact" ("episodeId") SELECT "episodeId" FROM "Episode";
CREATE TRIGGER "Episode_insert_waits" AFTER INSERT ON "Episode" BEGIN INSERT OR IGNORE INTO "PendingFact" ("episodeId") VALUES (NEW."episodeId"); END;
CREATE TRIGGER "Episode_update_waits" AFTER UPDATE OF "fact", "provenance", "suiteDigest", "runId" ON "Episode" BEGIN INSERT OR IGNORE INTO "PendingFact" ("episodeId") VALUES (NEW."episodeId"); END;
CREATE TRIGGER "Evaluation_insert_waits" AFTER INSERT ON "Evaluation" BEGIN INSERT OR IGNORE INTO "PendingFact" ("episodeId") VALUES (NEW."episodeId"); END;
