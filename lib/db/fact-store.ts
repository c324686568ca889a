import type { Digest } from '../domain/digest/index.ts'
import { type EpisodeFact, isSameRecord, rowPartOf } from '../domain/record/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { joinedText, jsonRows } from './dialect.ts'
import { Prisma } from './generated/sqlite/client.ts'
import { toProvenance } from './run-store.ts'
import { completeFact, readStoredFact } from './stored-episode.ts'
import { inTransaction } from './transaction.ts'

/** Facts written per transaction, so that other writers wait for a moment only. */
const BATCH = 500

/** Copies the facts of waiting episodes, in batches; a fact that was copied before gets a new number. */
export async function copyPendingFacts(db: Db): Promise<void> {
  while ((await withDatabaseErrors(() => copyBatch(db))) === BATCH);
}

async function copyBatch(db: Db): Promise<number> {
  const copy = async (tx: DbOrTx) => {
    const pending = await tx.$queryRaw<PendingRow[]>`
      SELECT p."episodeId", e."suiteDigest", e."runId", e."provenance", e."fact", f."number" AS "copy"
      FROM "PendingFact" AS p
      LEFT JOIN "Episode" AS e ON e."episodeId" = p."episodeId"
      LEFT JOIN "Fact" AS f ON f."episodeId" = p."episodeId"
      ORDER BY p."episodeId" LIMIT ${BATCH}`
    // Another process may have copied them before this one got the lock.
    if (pending.length === 0) return 0
    const episodeIds = pending.map(({ episodeId }) => episodeId)
    const copies = pending.flatMap(({ copy: _, ...row }) => {
      if (row.fact === null) return []
      const fact = readStoredFact(row.fact)
      return { ...row, part: rowPartOf(fact), marks: [...new Set(fact.origin?.marks ?? [])] }
    })
    const ids = Prisma.join(episodeIds)
    if (pending.some((row) => row.copy !== null)) await removeCopies(tx, ids)
    await tx.$executeRaw`
      INSERT INTO "Fact" ("episodeId", "suiteDigest", "part", "runId", "provenance", "fact")
      SELECT "episodeId", "suiteDigest", "part", "runId", "provenance", "fact"
      FROM ${jsonRows(tx, JSON.stringify(copies), COPIED)}`
    const marks = copies.flatMap((copy) =>
      copy.marks.map((mark) => ({ mark, episodeId: copy.episodeId })),
    )
    if (marks.length > 0)
      await tx.$executeRaw`
      INSERT INTO "FactMark" ("mark", "number")
      SELECT "rows"."mark", f."number"
      FROM ${jsonRows(tx, JSON.stringify(marks), { text: ['mark', 'episodeId'] })}
      JOIN "Fact" AS f ON f."episodeId" = "rows"."episodeId"`
    await tx.$executeRaw`DELETE FROM "PendingFact" WHERE "episodeId" IN (${ids})`
    return pending.length
  }
  // An episode whose copy is lost waits again.
  return inTransaction(db, copy, { isDerived: true })
}

/** Nulls = the episode is gone; `copy` = number of an earlier copy. */
type PendingRow = { episodeId: string; copy: bigint | number | null } & (
  | { suiteDigest: string; runId: string; provenance: string; fact: string }
  | { suiteDigest: null; runId: null; provenance: null; fact: null }
)

async function removeCopies(tx: DbOrTx, ids: Prisma.Sql): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM "FactMark" WHERE "number" IN (SELECT "number" FROM "Fact" WHERE "episodeId" IN (${ids}))`
  await tx.$executeRaw`DELETE FROM "Fact" WHERE "episodeId" IN (${ids})`
}

const COPIED = {
  text: ['episodeId', 'suiteDigest', 'part', 'runId', 'provenance', 'fact'],
} as const

/** Returns the highest fact number; 0 = there are no facts. */
export async function lastFactNumber(db: DbOrTx): Promise<number> {
  // Prisma's own maximum scans the table.
  const last = await db.fact.findFirst({ select: { number: true }, orderBy: { number: 'desc' } })
  return last?.number ?? 0
}

/** Lists the parts of a suite version with facts, and the highest fact number. */
export async function listAllParts(
  db: DbOrTx,
  suiteDigest: Digest,
): Promise<{ parts: string[]; last: number }> {
  // The number is read first: a fact that is copied meanwhile is read twice rather than never.
  const last = await lastFactNumber(db)
  const rows = await db.$queryRaw<{ part: string }[]>`
    SELECT DISTINCT "part" FROM "Fact" WHERE "suiteDigest" = ${suiteDigest}`
  return { parts: rows.map(({ part }) => part), last }
}

/** Lists the parts with facts after a number, and the highest fact number. */
export async function listPartsAfter(
  db: DbOrTx,
  suiteDigest: Digest,
  after: number,
): Promise<{ parts: string[]; last: number }> {
  // The empty texts keep SQLite from scanning all facts in index order instead of the few new ones.
  const rows = await db.$queryRaw<NewPart[]>`
    SELECT "suiteDigest", "part", MAX("number") AS "last" FROM (
      SELECT "number", "suiteDigest" || '' AS "suiteDigest", "part" || '' AS "part"
      FROM "Fact" WHERE "number" > ${after}) AS "new"
    GROUP BY "suiteDigest", "part"`
  return {
    parts: rows.filter((row) => row.suiteDigest === suiteDigest).map(({ part }) => part),
    last: rows.reduce((last, row) => Math.max(last, Number(row.last)), after),
  }
}

type NewPart = { suiteDigest: string; part: string; last: bigint | number }

/** Lists the parts of a suite version that contain one of these runs or episodes. */
export async function listPartsWith(
  db: DbOrTx,
  suiteDigest: Digest,
  ids: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = Prisma.join(ids.slice(at, at + BATCH))
    const rows = await db.$queryRaw<{ part: string }[]>`
      SELECT DISTINCT "part" FROM "Fact" WHERE "runId" IN (${some}) AND "suiteDigest" || '' = ${suiteDigest}
      UNION
      SELECT "part" FROM "Fact" WHERE "episodeId" IN (${some}) AND "suiteDigest" || '' = ${suiteDigest}`
    for (const { part } of rows) found.add(part)
  }
  return [...found]
}

type FactRow = { fact: string; provenance: string; part: string }

/** Facts read per statement. Limits memory, and keeps the text below SQLite's maximum length. */
const AT_ONCE = 2000

type PartFacts = {
  facts: EpisodeFact[]
  last: number
  /** Number of the part's facts, including those up to `after`. */
  count: number
  /** False = no episode of this board was evaluated here. */
  hasEvaluations: boolean
}
type Page = {
  text: string | null
  last: bigint | number | null
  count: bigint | number | null
  evaluated: bigint | number | boolean
}

/**
 * Lists the facts of one part of a suite version after a number, in order, and the last number. They are read as one
 * text, in half the time of an object per row. `before` = the fact of that number, with which the first of them shares
 * equal objects.
 */
export async function listPartFacts(
  db: DbOrTx,
  suiteDigest: Digest,
  part: string,
  after = 0,
  before?: EpisodeFact,
): Promise<PartFacts> {
  const facts: EpisodeFact[] = []
  const counted =
    after === 0
      ? Prisma.sql`NULL`
      : Prisma.sql`(SELECT COUNT(*) FROM "Fact" WHERE "suiteDigest" = ${suiteDigest} AND "part" = ${part})`
  for (let last = after; ; ) {
    const [page] = await db.$queryRaw<[Page]>`
      SELECT ${joinedText(db, FACT_TEXT)} AS "text",
        MAX("number") AS "last", ${counted} AS "count", EXISTS (SELECT 1 FROM "Evaluation") AS "evaluated"
      FROM (
        SELECT "number", "provenance", "fact" FROM "Fact"
        WHERE "suiteDigest" = ${suiteDigest} AND "part" = ${part} AND "number" > ${last}
        ORDER BY "number" LIMIT ${AT_ONCE}) AS "page"`
    const rows: FactText[] = JSON.parse(`[${page.text ?? ''}]`)
    for (const { fact, provenance } of rows)
      facts.push(shareWith(facts.at(-1) ?? before, completeFact(fact), toProvenance(provenance)))
    last = Number(page.last ?? last)
    if (rows.length === AT_ONCE) continue
    const count = page.count === null ? facts.length : Number(page.count)
    return { facts, last, count, hasEvaluations: Boolean(page.evaluated) }
  }
}

/** A provenance is a plain word and needs no escaping. */
const FACT_TEXT = Prisma.sql`'{"provenance":"' || "provenance" || '","fact":' || "fact" || '}'`
type FactText = { fact: Parameters<typeof completeFact>[0]; provenance: string }

/** Shares equal subject and settings objects with the previous fact, so that they can be compared by reference. */
function shareWith(
  before: EpisodeFact | undefined,
  fact: ReturnType<typeof completeFact>,
  provenance: EpisodeFact['provenance'],
): EpisodeFact {
  const own: EpisodeFact = { ...fact, provenance }
  if (before === undefined) return own
  if (own.suiteDigest === before.suiteDigest) own.suiteDigest = before.suiteDigest
  if (own.planDigest === before.planDigest) own.planDigest = before.planDigest
  if (own.runId === before.runId) own.runId = before.runId
  if (isSameRecord(own.subject, before.subject)) own.subject = before.subject
  if (isSameRecord(own.settings, before.settings)) own.settings = before.settings
  shareOrigin(own, before)
  return own
}

function shareOrigin({ origin, grading }: EpisodeFact, before: EpisodeFact): void {
  const [machine, harness] = [before.origin?.machine, before.origin?.harness]
  if (origin && machine && isSameRecord(origin.machine, machine)) origin.machine = machine
  if (origin && harness && isSameRecord(origin.harness, harness)) origin.harness = harness
  const verifier = before.grading?.verifier
  if (grading?.verifier && verifier && isSameRecord(grading.verifier, verifier))
    grading.verifier = verifier
}

function toFact({ fact, provenance }: FactRow): EpisodeFact {
  return { ...readStoredFact(fact), provenance: toProvenance(provenance) }
}

/** Lists marks that more than one episode has, among facts after this number. */
export async function listSharedMarks(db: DbOrTx, after: number): Promise<string[]> {
  const rows = await (after === 0
    ? db.$queryRaw<{ mark: string }[]>`
        SELECT "mark" FROM "FactMark" GROUP BY "mark" HAVING COUNT(*) > 1`
    : db.$queryRaw<{ mark: string }[]>`
        SELECT "mark" FROM "FactMark" AS b
        WHERE "mark" IN (SELECT "mark" FROM "FactMark" WHERE "number" > ${after})
        GROUP BY "mark" HAVING COUNT(*) > 1`)
  return rows.map(({ mark }) => mark)
}

/** Lists the facts of a suite version that have one of these marks, each with its part. */
export async function listMarkedFacts(
  db: DbOrTx,
  suiteDigest: Digest,
  marks: readonly string[],
): Promise<{ part: string; fact: EpisodeFact }[]> {
  const found = new Map<string, { part: string; fact: EpisodeFact }>()
  for (let at = 0; at < marks.length; at += BATCH) {
    const some = Prisma.join(marks.slice(at, at + BATCH))
    const rows = await db.$queryRaw<FactRow[]>`
      SELECT "fact", "provenance", "part" FROM "Fact"
      WHERE "number" IN (SELECT "number" FROM "FactMark" WHERE "mark" IN (${some}))
        AND "suiteDigest" || '' = ${suiteDigest}`
    for (const row of rows) {
      const fact = toFact(row)
      found.set(fact.episodeId, { part: row.part, fact })
    }
  }
  return [...found.values()]
}
