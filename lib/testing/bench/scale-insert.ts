import { openSqlite, type SqliteFile } from '#lib/db/sqlite-file.ts'
import { subjectId } from '../../db/subject-store.ts'
import type { PlannedRun } from '../../domain/board/index.ts'
import type { EpisodeFact } from '../../domain/record/index.ts'

/** Episodes of one run, each as solved and as unsolved. */
export type Template = {
  run: PlannedRun
  pairs: readonly (readonly [solved: EpisodeFact, unsolved: EpisodeFact])[]
  padding: string
}
/** A stored run that gets the template's episodes under new names. */
export type TemplateCopy = { run: PlannedRun; row: number; skill: number; repetitions: number }

/**
 * Inserts the episodes of stored runs inside the database, a million in half a minute. Counts that triggers would
 * maintain are computed once at the end.
 */
export function insertEpisodes(
  file: string,
  template: Template,
  copies: readonly TemplateCopy[],
): void {
  const db = openSqlite(file)
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -262144')
  const triggers = db
    .prepare(
      `SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'trigger' AND "tbl_name" = 'Episode'`,
    )
    .all() as { name: string; sql: string }[]
  db.transaction(() => {
    for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
    fillTemplate(db, template)
    const insert = db.prepare(INSERT)
    for (const copy of copies) insert.run(describeCopy(copy, template))
    db.exec(COUNT_ALL)
    for (const { sql } of triggers) db.exec(sql)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function fillTemplate(db: SqliteFile, { pairs }: Template): void {
  db.exec(
    'CREATE TEMP TABLE "Template" ("episodeId", "taskId", "taskDigest", "repetition", "startedAt", "totalMs", "solved", "unsolved")',
  )
  const add = db.prepare('INSERT INTO "Template" VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  for (const [solved, unsolved] of pairs) {
    const { episodeId, taskId, taskDigest, repetition, startedAt, totalMs } = solved
    const texts = [solved, unsolved].map(({ provenance: _, ...fact }) => JSON.stringify(fact))
    add.run(
      ...[episodeId, taskId, taskDigest, repetition, startedAt.replace('Z', '+00:00'), totalMs],
      ...texts,
    )
  }
}

function describeCopy(
  { run, row, skill, repetitions }: TemplateCopy,
  { run: first, padding }: Template,
) {
  const { plan, runId } = run
  return {
    runId,
    repetitions,
    skill,
    padding,
    planDigest: plan.planDigest,
    suiteId: plan.suiteId,
    suiteDigest: plan.suiteDigest,
    subjectId: subjectId(plan.subject),
    subject: JSON.stringify(plan.subject),
    oldRun: `"${first.runId}"`,
    newRun: `"${runId}"`,
    oldPlan: first.plan.planDigest,
    oldName: `"name":"${first.plan.subject.name}"`,
    newName: `"name":"${plan.subject.name}"`,
    oldTokens: '"tokens":900,',
    newTokens: `"tokens":${900 + row},`,
  }
}

/** Materialised, so that each random number is drawn only once. */
const INSERT = `
  WITH drawn AS MATERIALIZED (
    SELECT t.*, 'ep_' || lower(hex(randomblob(16))) AS "id", 'sha256:' || lower(hex(randomblob(32))) AS "seal",
      (random() & 65535) < @skill * 65536 AS "isSolved"
    FROM "Template" AS t WHERE t."repetition" <= @repetitions)
  INSERT INTO "Episode" (
    "episodeId", "envelope", "provenance", "directory", "receivedAt", "runId", "planDigest", "suiteId", "suiteDigest",
    "taskId", "taskDigest", "subjectId", "repetition", "attempt", "status", "failureCategory", "mode", "verdict",
    "startedAt", "totalMs", "seal", "fact")
  SELECT
    "id", '{"episodeId":"' || "id" || '","seal":"' || "seal" || '","subject":' || @subject || ',"padding":"' || @padding || '"}',
    'local', NULL, '2026-11-22T00:00:00.000+00:00', @runId, @planDigest, @suiteId, @suiteDigest,
    "taskId", "taskDigest", @subjectId, "repetition", 1, iif("isSolved", 'solved', 'unsolved'),
    iif("isSolved", NULL, "unsolved" ->> 'failureCategory'), "solved" ->> 'mode', iif("isSolved", 'pass', 'fail'),
    "startedAt", "totalMs", "seal",
    replace(replace(replace(replace(replace(iif("isSolved", "solved", "unsolved"),
      "episodeId", "id"), @oldRun, @newRun), @oldPlan, @planDigest), @oldName, @newName), @oldTokens, @newTokens)
  FROM drawn`

/** Recomputes what the table's triggers maintain. */
const COUNT_ALL = `
  INSERT INTO "PendingFact" ("episodeId") SELECT "episodeId" FROM "Episode";
  INSERT INTO "RunProgress" ("runId", "sealed", "solved", "voids", "voidAttempts", "cancelled")
    SELECT "runId", COUNT(*), SUM("status" = 'solved'), 0, 0, 0 FROM "Episode" GROUP BY "runId";
  UPDATE "Change" SET "number" = "number" + 1 WHERE "area" = 'episode';`
