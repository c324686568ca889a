-- AlterTable
ALTER TABLE "Run" ADD COLUMN "voucher" TEXT;

-- AlterTable
ALTER TABLE "Suite" ADD COLUMN "subjectKinds" TEXT;

-- Of what programs sent before, the audit log knows the sender of the first submission of each run.
UPDATE "Run" SET "voucher" = (
    SELECT CASE WHEN s."voucher" IS NOT NULL THEN 'workflow:' || s."voucher" ELSE (
        SELECT 'token:' || a."actorId" FROM "AuditEntry" a
        WHERE a."requestId" = s."requestId" AND a."actorKind" = 'token' AND a."actorId" IS NOT NULL
        ORDER BY a."id" LIMIT 1) END
    FROM "SubmittedRun" sr JOIN "Submission" s ON s."id" = sr."submissionId"
    WHERE sr."runId" = "Run"."runId"
    ORDER BY s."receivedAt", s."id" LIMIT 1)
WHERE "provenance" IN ('token', 'oidc');

UPDATE "Run" SET "voucher" = 'manual' WHERE "provenance" = 'manual';
