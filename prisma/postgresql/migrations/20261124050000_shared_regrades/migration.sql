-- CreateTable
CREATE TABLE "Regrade" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "at" TEXT COLLATE "C" NOT NULL,
    "line" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Regrade_pkey" PRIMARY KEY ("runId","digest")
);

-- CreateTable
CREATE TABLE "RegradeRequest" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "episodeId" TEXT COLLATE "C",
    "requestedBy" TEXT COLLATE "C" NOT NULL,
    "requestedAt" TIMESTAMP(3) NOT NULL,
    "takenBy" TEXT COLLATE "C",

    CONSTRAINT "RegradeRequest_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "UploadPart" (
    "uploadId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "bytes" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "UploadPart_pkey" PRIMARY KEY ("uploadId","number")
);


