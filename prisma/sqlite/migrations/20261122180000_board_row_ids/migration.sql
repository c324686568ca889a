-- CreateTable
CREATE TABLE "BoardRowId" (
    "rowId" TEXT NOT NULL,
    "suiteDigest" TEXT NOT NULL,

    PRIMARY KEY ("rowId", "suiteDigest"),
    CONSTRAINT "BoardRowId_suiteDigest_fkey" FOREIGN KEY ("suiteDigest") REFERENCES "BoardSnapshot" ("suiteDigest") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "BoardRowId_suiteDigest_idx" ON "BoardRowId"("suiteDigest");

-- Rows of the stored boards, under their own ids and the ids that they had before.
INSERT OR IGNORE INTO "BoardRowId" ("rowId", "suiteDigest")
SELECT json_extract(r."value", '$.rowId'), s."suiteDigest"
FROM (SELECT * FROM "BoardSnapshot" WHERE json_valid("board")) AS s, json_each(s."board", '$.rows') AS r
WHERE json_extract(r."value", '$.rowId') IS NOT NULL
UNION
SELECT a."value", s."suiteDigest"
FROM (SELECT * FROM "BoardSnapshot" WHERE json_valid("board")) AS s, json_each(s."board", '$.rows') AS r,
    json_each(r."value", '$.aliases') AS a;
