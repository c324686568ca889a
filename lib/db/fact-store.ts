import { type Digest, type EpisodeFact, isSameRecord, rowPartOf } from '../domain/record/index.ts'
import { withDatabaseErrors } from './database-error.ts'
import { joinedText, jsonRows } from './dialect.ts'
import { Prisma } from './generated/sqlite/client.ts'
import type { Db, DbOrTx } from './open-db.ts'
import { toProvenance } from './run-store.ts'
import { completeFact, readStoredFact } from './stored-episode.ts'
import { inTransaction } from './transaction.ts'

/** Written in one transaction: others wait for it a moment, not seconds. */
const BATCH = 500

/** Copies the facts of episodes that wait, in batches; a copy that was made before gets a new number. */
export async function copyPendingFacts(db: Db): Promise<void> {
  while ((await withDatabaseErrors(() => copyBatch(db))) === BATCH);
}

async function copyBatch(db: Db): Promise<number> {
  if ((await db.pendingFact.findFirst()) === null) return 0
  return inTransaction(db, async (tx) => {
    const pending = await tx.$queryRaw<PendingRow[]>`
      SELECT p."episodeId", e."suiteDigest", e."runId", e."provenance", e."fact"
      FROM "PendingFact" AS p LEFT JOIN "Episode" AS e ON e."episodeId" = p."episodeId"
      ORDER BY p."episodeId" LIMIT ${BATCH}`
    // Another process may have copied them between the look and the lock.
    if (pending.length === 0) return 0
    const episodeIds = pending.map(({ episodeId }) => episodeId)
    const copies = pending.flatMap((row) => {
      if (row.fact === null) return []
      const fact = readStoredFact(row.fact)
      return { ...row, part: rowPartOf(fact), marks: [...new Set(fact.origin?.marks ?? [])] }
    })
    const ids = Prisma.join(episodeIds)
    const [old] = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "Fact" WHERE "episodeId" IN (${ids}) LIMIT 1`
    if (old !== undefined) await removeCopies(tx, ids)
    await tx.$executeRaw`
      INSERT INTO "Fact" ("episodeId", "suiteDigest", "part", "runId", "provenance", "fact")
      SELECT "episodeId", "suiteDigest", "part", "runId", "provenance", "fact"
      FROM ${jsonRows(tx, JSON.stringify(copies), COPIED)}`
    const marks = copies.flatMap((copy) =>
      copy.marks.map((mark) => ({ mark, episodeId: copy.episodeId })),
    )
    await tx.$executeRaw`
      INSERT INTO "FactMark" ("mark", "number")
      SELECT "rows"."mark", f."number"
      FROM ${jsonRows(tx, JSON.stringify(marks), { text: ['mark', 'episodeId'] })}
      JOIN "Fact" AS f ON f."episodeId" = "rows"."episodeId"`
    await tx.$executeRaw`DELETE FROM "PendingFact" WHERE "episodeId" IN (${ids})`
    return pending.length
  })
}

/** Nulls where the episode is gone. */
type PendingRow = { episodeId: string } & (
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

/** The highest number of all facts; 0 = there is none. */
export async function lastFactNumber(db: DbOrTx): Promise<number> {
  // The client's own maximum walks through the table.
  const last = await db.fact.findFirst({ select: { number: true }, orderBy: { number: 'desc' } })
  return last?.number ?? 0
}

/** The parts of a suite version with facts behind this number. */
export async function listPartsAfter(
  db: DbOrTx,
  suiteDigest: Digest,
  after: number,
): Promise<string[]> {
  // The empty text keeps SQLite from walking through the whole suite instead of the few new ones.
  const rows = await (after === 0
    ? db.$queryRaw<{ part: string }[]>`
        SELECT DISTINCT "part" FROM "Fact" WHERE "suiteDigest" = ${suiteDigest}`
    : db.$queryRaw<{ part: string }[]>`
        SELECT DISTINCT "part" FROM "Fact" WHERE "number" > ${after} AND "suiteDigest" || '' = ${suiteDigest}`)
  return rows.map(({ part }) => part)
}

/** The parts of a suite version that hold one of these runs or episodes. */
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

/** Read at a time: what they take as text is bounded, and so is SQLite's longest value. */
const AT_ONCE = 2000

/**
 * The facts of one part of a suite version behind a number, in their order, and the last number. They come as one text
 * for all: a client that makes an object of every row takes twice the time.
 */
export async function listPartFacts(
  db: DbOrTx,
  suiteDigest: Digest,
  part: string,
  after = 0,
): Promise<{ facts: EpisodeFact[]; last: number }> {
  const facts: EpisodeFact[] = []
  for (let last = after; ; ) {
    const [page] = await db.$queryRaw<{ text: string | null; last: bigint | number | null }[]>`
      SELECT ${joinedText(db, FACT_TEXT)} AS "text",
        MAX("number") AS "last"
      FROM (
        SELECT "number", "provenance", "fact" FROM "Fact"
        WHERE "suiteDigest" = ${suiteDigest} AND "part" = ${part} AND "number" > ${last}
        ORDER BY "number" LIMIT ${AT_ONCE}) AS "page"`
    if (!page?.text || page.last === null) return { facts, last }
    last = Number(page.last)
    const rows: FactText[] = JSON.parse(`[${page.text}]`)
    for (const { fact, provenance } of rows)
      facts.push(shareWith(facts.at(-1), completeFact(fact), toProvenance(provenance)))
    if (rows.length < AT_ONCE) return { facts, last }
  }
}

/** A provenance is one of a few plain words. */
const FACT_TEXT = Prisma.sql`'{"provenance":"' || "provenance" || '","fact":' || "fact" || '}'`
type FactText = { fact: Parameters<typeof completeFact>[0]; provenance: string }

/** Neighbours nearly always have the same subject and settings: they share one object, so a comparison is by reference. */
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

/** How many facts a part of a suite version has. */
export async function countPartFacts(
  db: DbOrTx,
  suiteDigest: Digest,
  part: string,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT COUNT(*) AS "count" FROM "Fact" WHERE "suiteDigest" = ${suiteDigest} AND "part" = ${part}`
  return Number(row?.count ?? 0)
}

function toFact({ fact, provenance }: FactRow): EpisodeFact {
  return { ...readStoredFact(fact), provenance: toProvenance(provenance) }
}

/** Marks that more than one episode has, of facts behind this number. */
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

/** The facts of a suite version that have one of these marks, each with its part. */
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
