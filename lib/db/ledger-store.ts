import { canonicalJson } from '#lib/domain/digest/index.ts'
import {
  chainEntry,
  changesBoards,
  LEDGER_KINDS,
  type LedgerAction,
  type LedgerDraft,
  type LedgerEntry,
  type LedgerKind,
  ledgerEntrySchema,
} from '#lib/domain/ledger/index.ts'
import { AppError } from '#lib/errors.ts'
import type { DbOrTx } from './db.ts'
import { jsonRows } from './dialect.ts'
import { type LedgerEntry as LedgerRow, Prisma } from './generated/sqlite/client.ts'

/** Appends an entry. Call it inside a transaction, whose write lock prevents two entries with the same sequence. */
export async function appendLedger(
  tx: DbOrTx,
  draft: LedgerDraft,
  now: Date,
): Promise<LedgerEntry> {
  const entry = chainEntry(await findLastOfAll(tx), draft, { now: now.toISOString() })
  const { kind, target } = entry.action
  const action = canonicalJson(entry.action)
  await tx.ledgerEntry.create({ data: { ...entry, at: now, action, kind, target } })
  return entry
}

/**
 * Lists the ledger, oldest first, or its entries after `after`. Throws an AppError that names the first entry that
 * cannot be read.
 */
export async function listLedger(db: DbOrTx, after = 0): Promise<LedgerEntry[]> {
  const where = { sequence: { gt: after } }
  const rows = await db.ledgerEntry.findMany({ where, orderBy: { sequence: 'asc' } })
  return rows.map(toEntry)
}

type ReadEntries = {
  entries: LedgerEntry[]
  /** One sentence about the first entry that cannot be read; null = all can. */
  damaged: string | null
}

type Piece = { after: number; limit: number; until?: number }

/** Reads the next entries after a sequence, up to the one at `until`, or to the first that cannot be read. */
export async function readLedgerPiece(
  db: DbOrTx,
  { after, limit, until = MAX_SEQUENCE }: Piece,
): Promise<ReadEntries> {
  const where = { sequence: { gt: Math.min(after, MAX_SEQUENCE), lte: until } }
  return readRows(
    await db.ledgerEntry.findMany({ where, orderBy: { sequence: 'asc' }, take: limit }),
  )
}

/** Reads one page of the entries of a kind and on a target, newest first, up to one that cannot be read; null = any. */
export async function readLedgerPage(
  db: DbOrTx,
  { kind, target, skip, take }: LedgerSelection & { skip: number; take: number },
): Promise<ReadEntries> {
  const where = selectionOf({ kind, target })
  return readRows(
    await db.ledgerEntry.findMany({ where, orderBy: { sequence: 'desc' }, skip, take }),
  )
}

type LedgerSelection = { kind: LedgerKind | null; target: string | null }

/** Counts the entries of a kind and on a target; null = any. */
export async function countLedger(db: DbOrTx, selection: LedgerSelection): Promise<number> {
  return db.ledgerEntry.count({ where: selectionOf(selection) })
}

function selectionOf({ kind, target }: LedgerSelection) {
  return { ...(kind !== null && { kind }), ...(target !== null && { target }) }
}

/** Returns stored sequence and hash of an entry, or of the newest one. Null = there is none. */
export async function findLink(
  db: DbOrTx,
  sequence?: number,
): Promise<{ sequence: number; hash: string } | null> {
  return db.ledgerEntry.findFirst({
    ...(sequence !== undefined && { where: { sequence } }),
    orderBy: { sequence: 'desc' },
    select: { sequence: true, hash: true },
  })
}

function readRows(rows: readonly LedgerRow[]): ReadEntries {
  const entries: LedgerEntry[] = []
  for (const row of rows) {
    try {
      entries.push(toEntry(row))
    } catch (error) {
      if (error instanceof AppError) return { entries, damaged: error.message }
      throw error
    }
  }
  return { entries, damaged: null }
}

/** Lists the entries on some targets, oldest first. */
export async function listEntriesOn(
  db: DbOrTx,
  targets: readonly string[],
): Promise<LedgerEntry[]> {
  const where = { target: { in: [...targets] } }
  const rows = await db.ledgerEntry.findMany({ where, orderBy: { sequence: 'asc' } })
  return rows.map(toEntry)
}

/** Lists the entries on episodes of some runs, oldest first: their corrections. */
export async function listEpisodeEntries(
  db: DbOrTx,
  runIds: readonly string[],
): Promise<LedgerEntry[]> {
  if (runIds.length === 0) return []
  const found = await db.$queryRaw<{ target: string }[]>`
    SELECT DISTINCT l."target" AS "target" FROM "LedgerEntry" AS l
    JOIN "Episode" AS e ON e."episodeId" = l."target" WHERE e."runId" IN (${Prisma.join([...runIds])})`
  return listEntriesOn(
    db,
    found.map(({ target }) => target),
  )
}

/** Selects entries on runs and episodes of a suite and an agent, and on these rows; null = any suite, any agent. */
export type LedgerScope = {
  suiteId: string | null
  agent: string | null
  rowIds: readonly string[]
}

type NewestQuery = {
  /** Only entries before this one; null = starts with the newest. */
  before: number | null
  limit: number
  /** Null = all entries. */
  scope: LedgerScope | null
}

/** Maximum of a 32-bit column. */
const MAX_SEQUENCE = 2 ** 31 - 1

/** Lists the newest entries, newest first, each read through the index of its target. */
export async function listNewestEntries(
  db: DbOrTx,
  { before, limit, scope }: NewestQuery,
): Promise<LedgerEntry[]> {
  const below = before ?? MAX_SEQUENCE
  if (scope === null) {
    const where = { sequence: { lt: below } }
    const rows = await db.ledgerEntry.findMany({
      where,
      orderBy: { sequence: 'desc' },
      take: limit,
    })
    return rows.map(toEntry)
  }
  const { suiteId, agent, rowIds } = scope
  const rowsAsked = jsonRows(db, JSON.stringify(rowIds.map((id) => ({ id }))), { text: ['id'] })
  const found = await db.$queryRaw<{ sequence: number | bigint }[]>`
    SELECT e."sequence" FROM "LedgerEntry" AS e WHERE e."sequence" < ${below} AND (
      e."target" IN (SELECT "id" FROM ${rowsAsked})
      OR (e."kind" = 'task-version' AND e."target" = ${suiteId} AND CAST(${agent} AS TEXT) IS NULL)
      OR EXISTS (SELECT 1 FROM "Plan" AS p JOIN "Subject" AS s ON s."id" = p."subjectId"
        WHERE (p."planDigest" = e."target"
            OR p."planDigest" = (SELECT "planDigest" FROM "Run" WHERE "runId" = e."target")
            OR p."planDigest" = (SELECT "planDigest" FROM "Episode" WHERE "episodeId" = e."target"))
          AND p."suiteId" = COALESCE(${suiteId}, p."suiteId") AND s."name" = COALESCE(${agent}, s."name")))
    ORDER BY e."sequence" DESC LIMIT ${limit}`
  const sequences = found.map(({ sequence }) => Number(sequence))
  const rows = await db.ledgerEntry.findMany({
    where: { sequence: { in: sequences } },
    orderBy: { sequence: 'desc' },
  })
  return rows.map(toEntry)
}

/** Returns the newest entry; null = the ledger is empty. */
export async function findLastOfAll(db: DbOrTx): Promise<LedgerEntry | null> {
  const row = await db.ledgerEntry.findFirst({ orderBy: { sequence: 'desc' } })
  return row && toEntry(row)
}

/** Returns the newest entry of one kind on one target; null = there is none. */
export async function findLastEntry<K extends LedgerKind>(
  tx: DbOrTx,
  kind: K,
  target: string,
): Promise<(LedgerEntry & { action: LedgerAction & { kind: K } }) | null> {
  const orderBy = { sequence: 'desc' } as const
  const row = await tx.ledgerEntry.findFirst({ where: { kind, target }, orderBy })
  const entry = row && toEntry(row)
  return entry && isOfKind(entry, kind) ? entry : null
}

/**
 * Returns the sequence of the newest entry that may change a board; 0 = there is none. A seal changes no row, but shows
 * that a run gained episodes, maybe stored by a process that does not update boards.
 */
export async function lastBoardEntry(db: DbOrTx): Promise<number> {
  const { _max } = await db.ledgerEntry.aggregate({
    where: { kind: { in: [...LEDGER_KINDS.filter(changesBoards), 'seal-run'] } },
    _max: { sequence: true },
  })
  return _max.sequence ?? 0
}

function isOfKind<K extends LedgerKind>(
  entry: LedgerEntry,
  kind: K,
): entry is LedgerEntry & { action: LedgerAction & { kind: K } } {
  return entry.action.kind === kind
}

function toEntry(row: LedgerRow): LedgerEntry {
  try {
    const action: unknown = JSON.parse(row.action)
    return ledgerEntrySchema.parse({ ...row, at: row.at.toISOString(), action })
  } catch (cause) {
    const message = `entry ${row.sequence} of the ledger cannot be read: it was changed after it was written; restore a copy of the database`
    throw new AppError('database-unusable', message, { cause })
  }
}
