import { canonicalJson, type Digest } from '#lib/domain/digest/index.ts'
import { type Evaluation, evaluationSchema, MAX_TRIES } from '#lib/domain/record/index.ts'
import { POLICY_VERSION } from '../domain/eligibility/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { Prisma } from './generated/sqlite/client.ts'
import { PACKED_SHARE, unpackEnvelope } from './stored-episode.ts'

/** An uploaded episode that is waiting for evaluation, with the number of its next evaluation. */
export type PendingEvaluation = {
  episodeId: string
  seal: string
  suiteId: string
  suiteKind: Suite['kind']
  /** True if the suite's current task is the episode's. */
  hasTask: boolean
  /** Relative to the data folder; null = only the envelope was uploaded. */
  directory: string | null
  envelope: string
  /** SQLite returns a text, PostgreSQL a date. */
  receivedAt: Date | string
  number: number
}

/** The verifier of this server: the digest of its programs, and whether it has a sandbox for uploaded code. */
export type AvailableVerifier = { digest: string | null; hasSandbox: boolean }

/** Delay before a failed evaluation is retried. */
const RETRY_AFTER_MS = 15_000

/** Appends an evaluation. False = another worker stored this number of the episode first, and this one is dropped. */
export async function appendEvaluation(db: DbOrTx, evaluation: Evaluation): Promise<boolean> {
  const { episodeId, number, at, result } = evaluationSchema.parse(evaluation)
  const record = canonicalJson(evaluation)
  const evaluator = evaluatorOf(evaluation)
  const work = db.$executeRaw`
    INSERT INTO "Evaluation" ("episodeId", "number", "at", "result", "verifier", "record")
    VALUES (${episodeId}, ${number}, ${new Date(at)}, ${result}, ${evaluator}, ${record})
    ON CONFLICT DO NOTHING`
  return (await withDatabaseErrors(async () => work)) === 1
}

/** Returns the value of column `verifier`; before policy 7 it was the digest alone. */
export function evaluatorOf({ verifier, policyVersion }: Evaluation): string | null {
  const digest = verifier?.digest ?? null
  return policyVersion === undefined ? digest : nameEvaluator(digest, policyVersion)
}

/** Combines verifier digest and policy version: a change of either evaluates again. */
function nameEvaluator(digest: string | null, policyVersion: number): string {
  return `${digest ?? 'none'}+${policyVersion}`
}

/** Lists every evaluation of one suite version, by episode and number. */
export async function listEvaluations(db: DbOrTx, suiteDigest: Digest): Promise<Evaluation[]> {
  return findEvaluations(db, { episode: { suiteDigest } })
}

export async function listEvaluationsOf(db: DbOrTx, episodeId: string): Promise<Evaluation[]> {
  return findEvaluations(db, { episodeId })
}

/** Lists every evaluation of the episodes of one part of a suite version, up to the given fact number. */
export async function listPartEvaluations(
  db: DbOrTx,
  suiteDigest: Digest,
  part: string,
  after = 0,
): Promise<Evaluation[]> {
  const rows = await db.$queryRaw<{ record: string }[]>`
    SELECT e."record" AS "record" FROM "Fact" AS f JOIN "Evaluation" AS e ON e."episodeId" = f."episodeId"
    WHERE f."suiteDigest" = ${suiteDigest} AND f."part" = ${part} AND f."number" > ${after}
    ORDER BY e."episodeId", e."number"`
  return rows.map(({ record }) => evaluationSchema.parse(JSON.parse(record)))
}

async function findEvaluations(
  db: DbOrTx,
  where: { episodeId: string } | { episode: { suiteDigest: Digest } },
): Promise<Evaluation[]> {
  const rows = await db.evaluation.findMany({
    where,
    select: { record: true },
    orderBy: [{ episodeId: 'asc' }, { number: 'asc' }],
  })
  return rows.map(({ record }) => evaluationSchema.parse(JSON.parse(record)))
}

/** A run with episodes to evaluate, and its first sender. */
export type PendingRun = { runId: string; suiteId: string; sender: string; waiting: number }

/** Returns whether any uploaded episode is stored here. */
export async function hasUploadedEpisodes(db: Db): Promise<boolean> {
  const row = await db.episode.findFirst({ where: IS_UPLOADED, select: { episodeId: true } })
  return row !== null
}

const IS_UPLOADED = { provenance: { in: ['manual', 'token', 'oidc'] } }

/** Lists runs with episodes to evaluate, oldest first. */
export async function listPendingRuns(
  db: Db,
  verifier: AvailableVerifier,
  now: Date,
): Promise<PendingRun[]> {
  const rows = await db.$queryRaw<(PendingRun & { waiting: bigint })[]>`
    SELECT e."runId" AS "runId", e."suiteId" AS "suiteId", COUNT(*) AS "waiting",
      COALESCE((SELECT s."actor" FROM "SubmittedRun" AS r JOIN "Submission" AS s ON s."id" = r."submissionId"
        WHERE r."runId" = e."runId" ORDER BY s."receivedAt" LIMIT 1), 'by hand') AS "sender"
    ${isPending(verifier, now)}
    GROUP BY e."runId", e."suiteId" ORDER BY MIN(e."receivedAt"), e."runId"`
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting) }))
}

/** Maximum waiting episodes of one run that are searched for those whose files are on this host. */
const MAX_CANDIDATES = 100_000

/**
 * Lists up to `limit` waiting episodes of one run, never evaluated ones first, with at most `maxBytes` of envelopes
 * together, but at least one. `isHere` leaves out episodes whose files are on another host.
 */
export async function listPendingEvaluations(
  db: Db,
  runId: string,
  {
    verifier,
    now,
    limit,
    maxBytes,
    isHere = null,
  }: {
    verifier: AvailableVerifier
    now: Date
    limit: number
    maxBytes: number
    isHere?: ((directory: string | null) => boolean) | null
  },
): Promise<PendingEvaluation[]> {
  type Row = Omit<PendingEvaluation, 'hasTask' | 'number' | 'envelope'> & {
    hasTask: bigint | boolean
    last: bigint | number | null
    bytes: bigint | number
  }
  const found = await db.$queryRaw<Row[]>`
    SELECT e."episodeId" AS "episodeId", e."seal" AS "seal", e."suiteId" AS "suiteId", v."kind" AS "suiteKind",
      e."directory" AS "directory", e."receivedAt" AS "receivedAt", LENGTH(e."envelope") AS "bytes", l."number" AS "last", ${HAS_TASK} AS "hasTask"
    ${isPending(verifier, now)} AND e."runId" = ${runId}
    ORDER BY l."number" IS NOT NULL, l."number", e."taskId", e."repetition", e."attempt" LIMIT ${isHere ? MAX_CANDIDATES : limit}`
  const rows = isHere ? found.filter((row) => isHere(row.directory)).slice(0, limit) : found
  let total = 0
  const chosen = rows.filter(({ bytes }, index) => {
    total += Number(bytes) * PACKED_SHARE
    return index === 0 || total <= maxBytes
  })
  const where = { episodeId: { in: chosen.map(({ episodeId }) => episodeId) } }
  const texts = await db.episode.findMany({ where, select: { episodeId: true, envelope: true } })
  const envelopes = new Map(
    texts.map(({ episodeId, envelope }) => [episodeId, unpackEnvelope(envelope)]),
  )
  return chosen.map(({ last, hasTask, bytes: _, ...row }) => {
    const envelope = envelopes.get(row.episodeId) ?? ''
    return { ...row, envelope, hasTask: Boolean(hasTask), number: Number(last ?? 0) + 1 }
  })
}

const HAS_TASK = Prisma.sql`EXISTS (
  SELECT 1 FROM "Task" AS t JOIN "Suite" AS c ON c."digest" = t."suiteDigest"
  WHERE c."isCurrent" AND c."kind" <> 'reported' AND c."suiteId" = e."suiteId"
    AND t."taskId" = e."taskId" AND t."digest" = e."taskDigest")`

/**
 * Selects episodes to evaluate: scored by a verdict of another machine, and either not evaluated yet, or evaluated by
 * another verifier version, or the obstacle is gone, or a failure may be retried. The same rule as `needsEvaluation`.
 */
function isPending({ digest, hasSandbox }: AvailableVerifier, now: Date): Prisma.Sql {
  const sandbox = Prisma.raw(hasSandbox ? '1 = 1' : '1 = 0')
  const verifier = Prisma.sql`CAST(${nameEvaluator(digest, POLICY_VERSION)} AS TEXT)`
  return Prisma.sql`
    FROM "Episode" AS e
    JOIN "Suite" AS v ON v."digest" = e."suiteDigest"
    LEFT JOIN "Evaluation" AS l ON l."episodeId" = e."episodeId" AND l."number" = (
      SELECT MAX(m."number") FROM "Evaluation" AS m WHERE m."episodeId" = e."episodeId")
    WHERE e."provenance" IN ('manual', 'token', 'oidc') AND e."verdict" IS NOT NULL
      AND e."status" NOT IN ('void', 'cancelled')
      AND CASE COALESCE(l."result", 'none')
        WHEN 'none' THEN 1 = 1
        WHEN 'no-evidence' THEN e."directory" IS NOT NULL
        WHEN 'no-sandbox' THEN ${sandbox}
        WHEN 'no-task' THEN ${HAS_TASK}
        WHEN 'trouble' THEN l."at" < ${new Date(now.getTime() - RETRY_AFTER_MS)} AND (
          SELECT COUNT(*) FROM "Evaluation" AS n WHERE n."episodeId" = e."episodeId" AND n."result" = 'trouble'
            AND n."verifier" IS NOT DISTINCT FROM ${verifier}) < ${MAX_TRIES}
        WHEN 'browser' THEN l."verifier" IS DISTINCT FROM ${verifier} AND ${HAS_TASK}
        WHEN 'no-place' THEN ${sandbox} AND l."verifier" IS DISTINCT FROM ${verifier} AND ${HAS_TASK}
        WHEN 'agreed' THEN ${sandbox} AND l."verifier" IS DISTINCT FROM ${verifier} AND ${HAS_TASK}
        WHEN 'disagreed' THEN ${sandbox} AND l."verifier" IS DISTINCT FROM ${verifier} AND ${HAS_TASK}
        ELSE 1 = 0 END`
}
