-- CreateTable
CREATE TABLE "Evaluation" (
    "episodeId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "at" DATETIME NOT NULL,
    "result" TEXT NOT NULL,
    "verifier" TEXT,
    "record" TEXT NOT NULL,

    PRIMARY KEY ("episodeId", "number"),
    CONSTRAINT "Evaluation_episodeId_fkey" FOREIGN KEY ("episodeId") REFERENCES "Episode" ("episodeId") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Episode_provenance_receivedAt_idx" ON "Episode"("provenance", "receivedAt");
