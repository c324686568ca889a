import { joinStoredBoard, type RowText } from '../domain/board/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import type { DbOrTx } from './db.ts'
import { joinedText, jsonRows } from './dialect.ts'
import { Prisma } from './generated/sqlite/client.ts'

/** Replaces the rows of a stored board whose digest changed, and removes rows that are gone. */
export async function saveBoardRows(
  tx: DbOrTx,
  suiteDigest: Digest,
  rows: readonly RowText[],
): Promise<void> {
  await changeBoardRows(tx, suiteDigest, { rows, stored: await listDigests(tx, suiteDigest) })
}

/** Replaces rows of a stored board whose digests are known, by row id. */
export async function changeBoardRows(
  tx: DbOrTx,
  suiteDigest: Digest,
  { rows, stored }: { rows: readonly RowText[]; stored: ReadonlyMap<string, string> },
): Promise<void> {
  const changed = rows.filter(({ rowId, digest }) => stored.get(rowId) !== digest)
  const current = new Set(rows.map(({ rowId }) => rowId))
  const gone = [...stored.keys()].filter((rowId) => !current.has(rowId))
  if (gone.length > 0) await tx.boardRow.deleteMany({ where: { suiteDigest, rowId: { in: gone } } })
  if (changed.length === 0) return
  const json = JSON.stringify(changed.map((row) => ({ ...row, suiteDigest })))
  await tx.$executeRaw`
    INSERT INTO "BoardRow" ("suiteDigest", "rowId", "text", "digest")
    SELECT "suiteDigest", "rowId", "text", "digest"
    FROM ${jsonRows(tx, json, { text: ['suiteDigest', 'rowId', 'text', 'digest'] })}
    WHERE true
    ON CONFLICT ("suiteDigest", "rowId") DO UPDATE SET "text" = excluded."text", "digest" = excluded."digest"`
}

/** Reads digests as one text: a client that creates an object per row takes twenty times as long. */
async function listDigests(tx: DbOrTx, suiteDigest: Digest): Promise<Map<string, string>> {
  const pair = Prisma.sql`"rowId" || ' ' || "digest"`
  const [all] = await tx.$queryRaw<{ pairs: string | null }[]>`
    SELECT ${joinedText(tx, pair)} AS "pairs" FROM "BoardRow" WHERE "suiteDigest" = ${suiteDigest}`
  const pairs = all?.pairs?.split(',') ?? []
  return new Map(pairs.map((one) => one.split(' ') as [string, string]))
}

/** `text` null = the stored text does not match the stored digest. */
type StoredBoard = {
  text: string | null
  digest: string
  computedAt: Date
  ledgerSequence: number
}

/** Returns the text of a stored board with its stamp, read in one snapshot; null = none is stored. */
export async function findBoardTexts(db: DbOrTx, suiteDigest: string): Promise<StoredBoard | null> {
  // One statement, so that no other process writes between reading the frame and its rows.
  const line = Prisma.sql`"rowId" || ' ' || "text" || ${LINE_END}`
  const [found] = await db.$queryRaw<Found[]>`
    SELECT "board", "rowOrder", "digest", "computedAt", "ledgerSequence", (
      SELECT ${joinedText(db, line)} FROM "BoardRow" WHERE "suiteDigest" = ${suiteDigest}) AS "lines"
    FROM "BoardSnapshot" WHERE "suiteDigest" = ${suiteDigest}`
  if (!found) return null
  const { digest, computedAt, ledgerSequence } = found
  const texts = readLines(found.lines ?? '')
  const text = joinStoredBoard(found, (rowId) => texts.get(rowId))
  const sequence = Number(ledgerSequence)
  return { text, digest, computedAt: new Date(computedAt), ledgerSequence: sequence }
}

type Found = {
  board: string
  rowOrder: string | null
  lines: string | null
  digest: string
  computedAt: Date | string
  ledgerSequence: bigint | number
}

/** Separates rows: canonical JSON contains no line breaks. */
const LINE_END = '\n'

/** Parses lines of id and text, each with a line end and a comma behind, as `joinedText` returns them. */
function readLines(lines: string): Map<string, string> {
  return new Map(
    lines.split(LINE_END).map((line) => {
      const [, rowId = '', text = ''] = /^,?(\S*) (.*)$/s.exec(line) ?? []
      return [rowId, text] as const
    }),
  )
}
