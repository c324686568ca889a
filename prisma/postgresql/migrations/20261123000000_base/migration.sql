-- CreateTable
CREATE TABLE "User" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT COLLATE "C",
    "role" TEXT COLLATE "C" NOT NULL DEFAULT 'viewer',
    "disabledAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserSession" (
    "id" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "ipAddress" TEXT COLLATE "C",
    "userAgent" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UserSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UserCredential" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "providerId" TEXT COLLATE "C" NOT NULL,
    "userId" TEXT COLLATE "C" NOT NULL,
    "accessToken" TEXT COLLATE "C",
    "refreshToken" TEXT COLLATE "C",
    "idToken" TEXT COLLATE "C",
    "accessTokenExpiresAt" TIMESTAMP(3),
    "refreshTokenExpiresAt" TIMESTAMP(3),
    "scope" TEXT COLLATE "C",
    "password" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "UserCredential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Verification" (
    "id" TEXT COLLATE "C" NOT NULL,
    "identifier" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SetupLink" (
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),

    CONSTRAINT "SetupLink_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "SignInThrottle" (
    "key" TEXT COLLATE "C" NOT NULL,
    "failures" INTEGER NOT NULL,
    "windowStart" TIMESTAMP(3) NOT NULL,
    "lockedUntil" TIMESTAMP(3),

    CONSTRAINT "SignInThrottle_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "prefix" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "actorKind" TEXT COLLATE "C" NOT NULL,
    "actorId" TEXT COLLATE "C",
    "actor" TEXT COLLATE "C" NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "target" TEXT COLLATE "C",
    "detail" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C",

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Preset" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "fields" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Preset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" TEXT COLLATE "C" NOT NULL,
    "fileName" TEXT COLLATE "C" NOT NULL,
    "bytes" INTEGER NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "state" TEXT COLLATE "C" NOT NULL,
    "report" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "committedAt" TIMESTAMP(3),

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PrunedFile" (
    "path" TEXT COLLATE "C" NOT NULL,
    "runId" TEXT COLLATE "C" NOT NULL,
    "episodeId" TEXT COLLATE "C",
    "bytes" INTEGER NOT NULL,
    "prunedAt" TIMESTAMP(3) NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PrunedFile_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "BoardSnapshot" (
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "suiteId" TEXT COLLATE "C" NOT NULL,
    "board" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "computedAt" TIMESTAMP(3) NOT NULL,
    "ledgerSequence" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "BoardSnapshot_pkey" PRIMARY KEY ("suiteDigest")
);

-- CreateTable
CREATE TABLE "Change" (
    "area" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "Change_pkey" PRIMARY KEY ("area")
);

-- CreateTable
CREATE TABLE "BoardRowId" (
    "rowId" TEXT COLLATE "C" NOT NULL,
    "suiteDigest" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "BoardRowId_pkey" PRIMARY KEY ("rowId","suiteDigest")
);

-- CreateTable
CREATE TABLE "Episode" (
    "episodeId" TEXT COLLATE "C" NOT NULL,
    "envelope" TEXT COLLATE "C" NOT NULL,
    "provenance" TEXT COLLATE "C" NOT NULL,
    "directory" TEXT COLLATE "C",
    "receivedAt" TIMESTAMP(3) NOT NULL,
    "runId" TEXT COLLATE "C" NOT NULL,
    "planDigest" TEXT COLLATE "C" NOT NULL,
    "suiteId" TEXT COLLATE "C" NOT NULL,
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "taskId" TEXT COLLATE "C" NOT NULL,
    "taskDigest" TEXT COLLATE "C" NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "repetition" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "failureCategory" TEXT COLLATE "C",
    "mode" TEXT COLLATE "C" NOT NULL,
    "verdict" TEXT COLLATE "C",
    "startedAt" TIMESTAMP(3) NOT NULL,
    "totalMs" DOUBLE PRECISION,
    "seal" TEXT COLLATE "C" NOT NULL,
    "fact" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Episode_pkey" PRIMARY KEY ("episodeId")
);

-- CreateTable
CREATE TABLE "Evaluation" (
    "episodeId" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "result" TEXT COLLATE "C" NOT NULL,
    "verifier" TEXT COLLATE "C",
    "record" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Evaluation_pkey" PRIMARY KEY ("episodeId","number")
);

-- CreateTable
CREATE TABLE "Fact" (
    "number" SERIAL NOT NULL,
    "episodeId" TEXT COLLATE "C" NOT NULL,
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "runId" TEXT COLLATE "C" NOT NULL,
    "provenance" TEXT COLLATE "C" NOT NULL,
    "fact" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Fact_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "FactMark" (
    "mark" TEXT COLLATE "C" NOT NULL,
    "number" INTEGER NOT NULL,

    CONSTRAINT "FactMark_pkey" PRIMARY KEY ("mark","number")
);

-- CreateTable
CREATE TABLE "PendingFact" (
    "episodeId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PendingFact_pkey" PRIMARY KEY ("episodeId")
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT COLLATE "C" NOT NULL,
    "payload" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "tries" INTEGER NOT NULL DEFAULT 0,
    "newRunId" TEXT COLLATE "C",
    "runId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "endedAt" TIMESTAMP(3),
    "leaseOwner" TEXT COLLATE "C",
    "leaseUntil" TIMESTAMP(3),
    "priority" INTEGER NOT NULL DEFAULT 0,
    "concurrency" INTEGER NOT NULL DEFAULT 1,
    "provider" TEXT COLLATE "C",
    "plan" TEXT COLLATE "C",
    "planDigest" TEXT COLLATE "C",
    "requestedBy" TEXT COLLATE "C",
    "cancelRequestedAt" TIMESTAMP(3),

    CONSTRAINT "Job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Worker" (
    "id" TEXT COLLATE "C" NOT NULL,
    "pid" INTEGER NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "heartbeatAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Worker_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LedgerEntry" (
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "author" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "target" TEXT COLLATE "C" NOT NULL,
    "previousHash" TEXT COLLATE "C",
    "hash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "LedgerEntry_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "Subject" (
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "version" TEXT COLLATE "C",
    "adapterVersion" TEXT COLLATE "C",
    "provider" TEXT COLLATE "C",
    "modelRequested" TEXT COLLATE "C",

    CONSTRAINT "Subject_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Plan" (
    "planDigest" TEXT COLLATE "C" NOT NULL,
    "suiteId" TEXT COLLATE "C" NOT NULL,
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "subjectId" TEXT COLLATE "C" NOT NULL,
    "repetitions" INTEGER NOT NULL,
    "planned" INTEGER NOT NULL,
    "frozenAt" TIMESTAMP(3),
    "document" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Plan_pkey" PRIMARY KEY ("planDigest")
);

-- CreateTable
CREATE TABLE "Run" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "planDigest" TEXT COLLATE "C" NOT NULL,
    "suiteId" TEXT COLLATE "C" NOT NULL,
    "provenance" TEXT COLLATE "C" NOT NULL,
    "voucher" TEXT COLLATE "C",
    "shard" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Run_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "RunProgress" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "sealed" INTEGER NOT NULL,
    "solved" INTEGER NOT NULL,
    "voids" INTEGER NOT NULL,
    "voidAttempts" INTEGER NOT NULL,

    CONSTRAINT "RunProgress_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "Submission" (
    "id" TEXT COLLATE "C" NOT NULL,
    "bodyDigest" TEXT COLLATE "C" NOT NULL,
    "bytes" INTEGER NOT NULL,
    "provenance" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "claims" TEXT COLLATE "C",
    "voucher" TEXT COLLATE "C",
    "requestId" TEXT COLLATE "C",
    "receivedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Submission_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubmittedRun" (
    "runId" TEXT COLLATE "C" NOT NULL,
    "submissionId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SubmittedRun_pkey" PRIMARY KEY ("runId","submissionId")
);

-- CreateTable
CREATE TABLE "SpentToken" (
    "issuer" TEXT COLLATE "C" NOT NULL,
    "jti" TEXT COLLATE "C" NOT NULL,
    "bodyDigest" TEXT COLLATE "C" NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SpentToken_pkey" PRIMARY KEY ("issuer","jti")
);

-- CreateTable
CREATE TABLE "OidcRule" (
    "id" TEXT COLLATE "C" NOT NULL,
    "rule" TEXT COLLATE "C" NOT NULL,
    "createdBy" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "removedAt" TIMESTAMP(3),

    CONSTRAINT "OidcRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Suite" (
    "digest" TEXT COLLATE "C" NOT NULL,
    "suiteId" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL,
    "protocolVersion" INTEGER NOT NULL,
    "sourceUrl" TEXT COLLATE "C",
    "sourceRef" TEXT COLLATE "C",
    "thresholds" TEXT COLLATE "C",
    "subjectKinds" TEXT COLLATE "C",
    "isCurrent" BOOLEAN NOT NULL,
    "savedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Suite_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "Task" (
    "suiteDigest" TEXT COLLATE "C" NOT NULL,
    "taskId" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C" NOT NULL,
    "difficulty" TEXT COLLATE "C" NOT NULL,
    "definition" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("suiteDigest","taskId")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "UserSession_token_key" ON "UserSession"("token");

-- CreateIndex
CREATE INDEX "UserSession_userId_idx" ON "UserSession"("userId");

-- CreateIndex
CREATE INDEX "UserCredential_userId_idx" ON "UserCredential"("userId");

-- CreateIndex
CREATE INDEX "Verification_identifier_idx" ON "Verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE INDEX "AuditEntry_target_idx" ON "AuditEntry"("target");

-- CreateIndex
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");

-- CreateIndex
CREATE UNIQUE INDEX "Preset_name_key" ON "Preset"("name");

-- CreateIndex
CREATE INDEX "Upload_createdAt_idx" ON "Upload"("createdAt");

-- CreateIndex
CREATE INDEX "PrunedFile_runId_idx" ON "PrunedFile"("runId");

-- CreateIndex
CREATE INDEX "PrunedFile_episodeId_idx" ON "PrunedFile"("episodeId");

-- CreateIndex
CREATE INDEX "BoardSnapshot_suiteId_idx" ON "BoardSnapshot"("suiteId");

-- CreateIndex
CREATE INDEX "BoardSnapshot_suiteDigest_digest_computedAt_idx" ON "BoardSnapshot"("suiteDigest", "digest", "computedAt");

-- CreateIndex
CREATE INDEX "BoardRowId_suiteDigest_idx" ON "BoardRowId"("suiteDigest");

-- CreateIndex
CREATE INDEX "Episode_suiteDigest_idx" ON "Episode"("suiteDigest");

-- CreateIndex
CREATE INDEX "Episode_startedAt_episodeId_idx" ON "Episode"("startedAt", "episodeId");

-- CreateIndex
CREATE INDEX "Episode_provenance_receivedAt_idx" ON "Episode"("provenance", "receivedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Episode_runId_taskId_repetition_attempt_key" ON "Episode"("runId", "taskId", "repetition", "attempt");

-- CreateIndex
CREATE UNIQUE INDEX "Fact_episodeId_key" ON "Fact"("episodeId");

-- CreateIndex
CREATE INDEX "Fact_suiteDigest_part_idx" ON "Fact"("suiteDigest", "part");

-- CreateIndex
CREATE INDEX "Fact_runId_idx" ON "Fact"("runId");

-- CreateIndex
CREATE INDEX "FactMark_number_idx" ON "FactMark"("number");

-- CreateIndex
CREATE UNIQUE INDEX "Job_newRunId_key" ON "Job"("newRunId");

-- CreateIndex
CREATE UNIQUE INDEX "Job_runId_key" ON "Job"("runId");

-- CreateIndex
CREATE INDEX "Job_status_priority_createdAt_idx" ON "Job"("status", "priority", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "LedgerEntry_hash_key" ON "LedgerEntry"("hash");

-- CreateIndex
CREATE INDEX "LedgerEntry_target_idx" ON "LedgerEntry"("target");

-- CreateIndex
CREATE INDEX "Subject_name_idx" ON "Subject"("name");

-- CreateIndex
CREATE INDEX "Plan_suiteId_idx" ON "Plan"("suiteId");

-- CreateIndex
CREATE INDEX "Run_createdAt_idx" ON "Run"("createdAt");

-- CreateIndex
CREATE INDEX "Run_suiteId_idx" ON "Run"("suiteId");

-- CreateIndex
CREATE INDEX "Submission_receivedAt_idx" ON "Submission"("receivedAt");

-- CreateIndex
CREATE INDEX "SubmittedRun_submissionId_idx" ON "SubmittedRun"("submissionId");

-- CreateIndex
CREATE INDEX "SpentToken_expiresAt_idx" ON "SpentToken"("expiresAt");

-- CreateIndex
CREATE INDEX "OidcRule_createdAt_idx" ON "OidcRule"("createdAt");

-- CreateIndex
CREATE INDEX "Suite_suiteId_isCurrent_idx" ON "Suite"("suiteId", "isCurrent");

-- AddForeignKey
ALTER TABLE "UserSession" ADD CONSTRAINT "UserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UserCredential" ADD CONSTRAINT "UserCredential_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BoardRowId" ADD CONSTRAINT "BoardRowId_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "BoardSnapshot"("suiteDigest") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Episode" ADD CONSTRAINT "Episode_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("runId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Episode" ADD CONSTRAINT "Episode_subjectId_fkey" FOREIGN KEY ("subjectId") REFERENCES "Subject"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Evaluation" ADD CONSTRAINT "Evaluation_episodeId_fkey" FOREIGN KEY ("episodeId") REFERENCES "Episode"("episodeId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Job" ADD CONSTRAINT "Job_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("runId") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_subjectId_fkey" FOREIGN KEY ("subjectId") REFERENCES "Subject"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Run" ADD CONSTRAINT "Run_planDigest_fkey" FOREIGN KEY ("planDigest") REFERENCES "Plan"("planDigest") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubmittedRun" ADD CONSTRAINT "SubmittedRun_runId_fkey" FOREIGN KEY ("runId") REFERENCES "Run"("runId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubmittedRun" ADD CONSTRAINT "SubmittedRun_submissionId_fkey" FOREIGN KEY ("submissionId") REFERENCES "Submission"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "Suite"("digest") ON DELETE CASCADE ON UPDATE CASCADE;



-- How far each run has come: of every slot that was written, the latest attempt before and after this statement.
CREATE FUNCTION "count_progress"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "RunProgress" AS known ("runId", "sealed", "solved", "voids", "voidAttempts")
    SELECT "runId",
        SUM((before IS NULL)::int),
        SUM((latest = 'solved')::int - COALESCE((before = 'solved')::int, 0)),
        SUM((latest = 'void')::int - COALESCE((before = 'void')::int, 0)),
        SUM("voidAttempts")
    FROM (
        SELECT slot."runId",
            (array_agg(e."status" ORDER BY e."attempt" DESC))[1] AS latest,
            (array_agg(e."status" ORDER BY e."attempt" DESC) FILTER (WHERE a."episodeId" IS NULL))[1] AS before,
            COUNT(*) FILTER (WHERE a."episodeId" IS NOT NULL AND e."status" = 'void') AS "voidAttempts"
        FROM (SELECT DISTINCT "runId", "taskId", "repetition" FROM added) AS slot
        JOIN "Episode" AS e USING ("runId", "taskId", "repetition")
        LEFT JOIN added AS a ON a."episodeId" = e."episodeId"
        GROUP BY slot."runId", slot."taskId", slot."repetition") AS slots
    GROUP BY "runId"
    ON CONFLICT ("runId") DO UPDATE SET
        "sealed" = known."sealed" + excluded."sealed", "solved" = known."solved" + excluded."solved",
        "voids" = known."voids" + excluded."voids", "voidAttempts" = known."voidAttempts" + excluded."voidAttempts";
    RETURN NULL;
END $$;
CREATE TRIGGER "Episode_counts_progress" AFTER INSERT ON "Episode" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "count_progress"();

-- What kept pages show: each write of an area makes its number higher, and a page of an older number is rendered again.
INSERT INTO "Change" ("area", "number") VALUES ('board', 0), ('suite', 0), ('ledger', 0), ('episode', 0), ('run', 0), ('job', 0);
CREATE FUNCTION "count_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = TG_ARGV[0];
    RETURN NULL;
END $$;
CREATE TRIGGER "BoardSnapshot_insert_changes" AFTER INSERT ON "BoardSnapshot" FOR EACH ROW EXECUTE FUNCTION "count_change"('board');
CREATE TRIGGER "BoardSnapshot_update_changes" AFTER UPDATE OF "board", "digest" ON "BoardSnapshot" FOR EACH ROW WHEN (OLD."digest" <> NEW."digest" OR OLD."board" <> NEW."board") EXECUTE FUNCTION "count_change"('board');
CREATE TRIGGER "BoardSnapshot_delete_changes" AFTER DELETE ON "BoardSnapshot" FOR EACH ROW EXECUTE FUNCTION "count_change"('board');
CREATE TRIGGER "Suite_insert_changes" AFTER INSERT ON "Suite" FOR EACH ROW EXECUTE FUNCTION "count_change"('suite');
CREATE TRIGGER "Suite_update_changes" AFTER UPDATE ON "Suite" FOR EACH ROW EXECUTE FUNCTION "count_change"('suite');
CREATE TRIGGER "Suite_delete_changes" AFTER DELETE ON "Suite" FOR EACH ROW EXECUTE FUNCTION "count_change"('suite');
CREATE TRIGGER "LedgerEntry_insert_changes" AFTER INSERT ON "LedgerEntry" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('ledger');
CREATE TRIGGER "Episode_insert_changes" AFTER INSERT ON "Episode" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('episode');
CREATE TRIGGER "Episode_update_changes" AFTER UPDATE ON "Episode" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('episode');
CREATE TRIGGER "Episode_delete_changes" AFTER DELETE ON "Episode" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('episode');
CREATE TRIGGER "Evaluation_insert_changes" AFTER INSERT ON "Evaluation" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('episode');
CREATE TRIGGER "PrunedFile_insert_changes" AFTER INSERT ON "PrunedFile" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('episode');
CREATE TRIGGER "Run_insert_changes" AFTER INSERT ON "Run" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('run');
CREATE TRIGGER "Run_update_changes" AFTER UPDATE ON "Run" FOR EACH ROW EXECUTE FUNCTION "count_change"('run');
CREATE TRIGGER "SubmittedRun_insert_changes" AFTER INSERT ON "SubmittedRun" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('run');
CREATE TRIGGER "Job_insert_changes" AFTER INSERT ON "Job" FOR EACH STATEMENT EXECUTE FUNCTION "count_change"('job');
CREATE TRIGGER "Job_update_changes" AFTER UPDATE OF "status", "reason", "runId", "newRunId", "startedAt", "endedAt", "priority", "cancelRequestedAt" ON "Job" FOR EACH ROW EXECUTE FUNCTION "count_change"('job');
CREATE TRIGGER "Job_delete_changes" AFTER DELETE ON "Job" FOR EACH ROW EXECUTE FUNCTION "count_change"('job');

-- What is stored waits until the worker copies its facts in batches.
CREATE FUNCTION "added_waits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "PendingFact" ("episodeId") SELECT DISTINCT "episodeId" FROM added ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION "updated_waits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "PendingFact" ("episodeId") VALUES (NEW."episodeId") ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER "Episode_insert_waits" AFTER INSERT ON "Episode" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "added_waits"();
CREATE TRIGGER "Episode_update_waits" AFTER UPDATE OF "fact", "provenance", "suiteDigest", "runId" ON "Episode" FOR EACH ROW EXECUTE FUNCTION "updated_waits"();
CREATE TRIGGER "Evaluation_insert_waits" AFTER INSERT ON "Evaluation" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "added_waits"();
