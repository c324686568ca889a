import {
  type Board,
  type BoardTexts,
  boardSchema,
  digestBoard,
  pickRow,
  splitBoard,
} from '../domain/board/index.ts'
import type { Digest } from '../domain/record/index.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { processWide } from '../process-wide.ts'
import { changeBoardRows, findBoardTexts, saveBoardRows } from './board-text-store.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import { joinedText } from './dialect.ts'
import { type BoardSnapshot, Prisma } from './generated/sqlite/client.ts'
import { inTransaction } from './transaction.ts'

const log = createLog('board')

export type BoardRecord = {
  board: Board
  digest: string
  computedAt: string
  /** The last entry of the ledger that the board obeys. */
  ledgerSequence: number
}

/** A board as this process saved it last. */
export type SavedBoard = { digest: Digest; texts: BoardTexts; ids: string }

type Saving = {
  ledgerSequence: number
  now: Date
  texts?: BoardTexts
  /** Null or absent = what is stored is compared row by row. */
  before?: SavedBoard | null
}

/** Brings the snapshot of this version of the suite up to date, writing only rows that changed, and the index of its rows. */
export async function saveBoard(
  db: Db,
  board: Board,
  { ledgerSequence, now, texts = splitBoard(board), before = null }: Saving,
): Promise<SavedBoard> {
  const digest = digestBoard(texts)
  const rowOrder = texts.rows.map(({ rowId }) => rowId).join()
  const { suiteId, digest: suiteDigest } = board.suite
  const ids = new Set(board.rows.flatMap(({ rowId, aliases = [] }) => [rowId, ...aliases]))
  const saved = { digest, texts, ids: [...ids].sort().join() }
  // Statements of our own: an upsert reads megabytes back, and objects of two hundred rows take longer than their ids.
  const save = async (tx: DbOrTx) => {
    if (before && (await replace(tx, before))) return
    const same = await tx.$executeRaw`
      UPDATE "BoardSnapshot" SET "computedAt" = ${now}, "ledgerSequence" = ${ledgerSequence}
      WHERE "suiteDigest" = ${suiteDigest} AND "digest" = ${digest}`
    if (same === 0) {
      await tx.$executeRaw`
        INSERT INTO "BoardSnapshot" ("suiteDigest", "suiteId", "board", "rowOrder", "digest", "computedAt", "ledgerSequence")
        VALUES (${suiteDigest}, ${suiteId}, ${texts.frame}, ${rowOrder}, ${digest}, ${now}, ${ledgerSequence})
        ON CONFLICT ("suiteDigest") DO UPDATE SET "board" = excluded."board", "rowOrder" = excluded."rowOrder",
          "digest" = excluded."digest", "computedAt" = excluded."computedAt", "ledgerSequence" = excluded."ledgerSequence"`
      await saveBoardRows(tx, suiteDigest, texts.rows)
    }
    const [known] = await tx.$queryRaw<{ ids: string | null }[]>`
      SELECT ${joinedText(tx, Prisma.sql`"rowId"`)} AS "ids" FROM (
        SELECT "rowId" FROM "BoardRowId" WHERE "suiteDigest" = ${suiteDigest} ORDER BY "rowId") AS "sorted"`
    if ((known?.ids ?? '') === saved.ids) return
    await tx.boardRowId.deleteMany({ where: { suiteDigest } })
    await tx.boardRowId.createMany({ data: [...ids].map((rowId) => ({ rowId, suiteDigest })) })
  }

  /** False = what is stored is not what was saved before, or other rows: all of it has to be compared. */
  async function replace(tx: DbOrTx, { digest: old, texts: last, ids: known }: SavedBoard) {
    if (known !== saved.ids) return false
    const found = await tx.$executeRaw`
      UPDATE "BoardSnapshot" SET "board" = ${texts.frame}, "rowOrder" = ${rowOrder}, "digest" = ${digest},
        "computedAt" = ${now}, "ledgerSequence" = ${ledgerSequence}
      WHERE "suiteDigest" = ${suiteDigest} AND "digest" = ${old}`
    if (found === 0) return false
    const stored = new Map(last.rows.map((row) => [row.rowId, row.digest]))
    await changeBoardRows(tx, suiteDigest, { rows: texts.rows, stored })
    return true
  }

  // A board that is lost is computed again when the worker starts.
  await withDatabaseErrors(() => inTransaction(db, save, { isDerived: true }))
  return saved
}

/**
 * A snapshot of an older shape counts as none: the worker makes a new one when it starts. Throws an AppError when the
 * stored texts are damaged: they are removed, and the worker builds the board again.
 */
export async function findBoard(db: DbOrTx, suiteDigest: Digest): Promise<BoardRecord | null> {
  const [stamp] = await listStamps(db, { suiteDigest })
  const record = stamp ? await readRecord(db, stamp) : null
  if (record !== 'damaged') return record
  const message =
    'the stored leaderboard was damaged and is being built again from its episodes: try again in a moment'
  throw new AppError('database-busy', message, { retryAfterMs: RETRY_MS })
}

/** A worker looks for missing boards this often, and builds most of them in less. */
const RETRY_MS = 5000

/** The bytes of a stored board; null = they are no longer those of this digest. */
export async function findBoardText(
  db: Db,
  suiteDigest: Digest,
  digest: string,
): Promise<string | null> {
  const stored = await findBoardTexts(db, suiteDigest)
  return stored?.digest === digest ? stored.text : null
}

/** The boards of every version of a suite that has episodes, newest first. */
export function listBoards(db: Db, suiteId: string): Promise<BoardRecord[]> {
  return listRecords(db, { suiteId })
}

/** All stored boards. */
export function listAllBoards(db: Db): Promise<BoardRecord[]> {
  return listRecords(db, {})
}

/** The boards, of any suite and version, that show one of these rows. */
export async function listBoardsWithRows(
  db: DbOrTx,
  rowIds: readonly string[],
): Promise<BoardRecord[]> {
  if (rowIds.length === 0) return []
  const where = { rowIds: { some: { rowId: { in: [...rowIds] } } } }
  const records = await listRecords(db, where)
  return records.sort((a, b) => ownRows(b, rowIds) - ownRows(a, rowIds))
}

/** A board whose rows have these ids as their own comes before one that only knows them besides. */
function ownRows({ board }: BoardRecord, rowIds: readonly string[]): number {
  return board.rows.filter(({ rowId }) => rowIds.includes(rowId)).length
}

/** A row's place on the boards; `version` null = the suite's current one. */
type RowPlace = { suiteId: string; version: string | null; subject: string }

/** The rank of these rows, by row id; rows without a stored board are left out. */
export async function listRowRanks(
  db: DbOrTx,
  rowIds: readonly string[],
): Promise<Map<string, RowPlace>> {
  const current = await db.suite.findMany({ where: { isCurrent: true }, select: { digest: true } })
  const shown = new Set<string>(current.map(({ digest }) => digest))
  const boards = await listBoardsWithRows(db, rowIds)
  const places = rowIds.flatMap((id) => {
    const row = boards.map(({ board }) => pickRow(board.rows, id)).find((one) => one !== undefined)
    if (!row) return []
    const { suiteId, suiteDigest, subject } = row
    const version = shown.has(suiteDigest) ? null : suiteDigest
    return [[id, { suiteId, version, subject: subject.name }] as const]
  })
  return new Map(places)
}

/** Whether any stored board has this row. */
export async function hasRow(db: DbOrTx, rowId: string): Promise<boolean> {
  return (await db.boardRowId.findFirst({ where: { rowId } })) !== null
}

/**
 * Suites with a board that does not obey the ledger's entry `sequence` yet, or with episodes and no board at all: another
 * process may have written the first.
 */
export async function listStaleSuites(db: Db, sequence: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ suiteId: string }[]>`
    SELECT "suiteId" FROM "BoardSnapshot" WHERE "ledgerSequence" < ${sequence}
    UNION
    SELECT "suiteId" FROM "Suite" WHERE "digest" NOT IN (SELECT "suiteDigest" FROM "BoardSnapshot")
      AND EXISTS (SELECT 1 FROM "Episode" WHERE "Episode"."suiteDigest" = "Suite"."digest")`
  return rows.map(({ suiteId }) => suiteId)
}

const STAMP = { suiteDigest: true, digest: true, computedAt: true, ledgerSequence: true } as const
type Stamp = Pick<BoardSnapshot, keyof typeof STAMP>

/** The newest first. Only boards that this process has not parsed yet are read; damaged ones are left out. */
async function listRecords(
  db: DbOrTx,
  where: Prisma.BoardSnapshotWhereInput,
): Promise<BoardRecord[]> {
  const stamps = await listStamps(db, where)
  const records = await Promise.all(stamps.map((stamp) => readRecord(db, stamp)))
  return records.flatMap((record) => (record === 'damaged' ? [] : (record ?? [])))
}

function listStamps(db: DbOrTx, where: Prisma.BoardSnapshotWhereInput): Promise<Stamp[]> {
  return db.boardSnapshot.findMany({
    where,
    select: STAMP,
    orderBy: [{ computedAt: 'desc' }, { suiteDigest: 'asc' }],
  })
}

const parsed = processWide('boards', () => new Map<string, Board | null>())
/** Parsed boards that a process keeps: more than any server shows at a time, and a megabyte or two each at most. */
const MAX_PARSED = 24

/** Null = of an older shape, or replaced and gone since its stamp was read. */
async function readRecord(db: DbOrTx, stamp: Stamp): Promise<BoardRecord | 'damaged' | null> {
  let { digest, computedAt, ledgerSequence } = stamp
  let board = parsed.get(digest)
  if (board === undefined) {
    const stored = await findBoardTexts(db, stamp.suiteDigest)
    if (stored === null) return null
    ;({ digest, computedAt, ledgerSequence } = stored)
    if (stored.text === null) {
      log.warn('a stored board does not have its digest and is removed', stamp)
      await db.boardSnapshot.deleteMany({ where: { suiteDigest: stamp.suiteDigest, digest } })
      return 'damaged'
    }
    board = parsed.get(digest) ?? boardSchema.safeParse(JSON.parse(stored.text)).data ?? null
  }
  // Said again, so that the one that was not used for longest is the first to go.
  parsed.delete(digest)
  parsed.set(digest, board)
  const [oldest] = parsed.keys()
  if (parsed.size > MAX_PARSED && oldest !== undefined) parsed.delete(oldest)
  return board && { board, digest, computedAt: computedAt.toISOString(), ledgerSequence }
}
