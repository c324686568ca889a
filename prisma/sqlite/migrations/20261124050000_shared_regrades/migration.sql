-- CreateTable
CREATE TABLE "Regrade" (
    "runId" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "line" TEXT NOT NULL,

    PRIMARY KEY ("runId", "digest")
);

-- CreateTable
CREATE TABLE "RegradeRequest" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "episodeId" TEXT,
    "requestedBy" TEXT NOT NULL,
    "requestedAt" DATETIME NOT NULL,
    "takenBy" TEXT
);

-- CreateTable
CREATE TABLE "UploadPart" (
    "uploadId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "bytes" TEXT NOT NULL,

    PRIMARY KEY ("uploadId", "number")
);
