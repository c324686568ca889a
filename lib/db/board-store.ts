import {
  type Board,
  type BoardTexts,
  boardSchema,
  digestBoard,
  pickRow,
  splitBoard,
} from '../domain/board/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import type { Subject } from '../domain/record/index.ts'
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
  /** Sequence of the last ledger entry that the board includes. */
  ledgerSequence: number
}

/** A board as last saved by this process. */
export type SavedBoard = { digest: Digest; texts: BoardTexts; ids: string }

type Saving = {
  ledgerSequence: number
  now: Date
  texts?: BoardTexts
  /** Null or absent = compare with the stored board row by row. */
  before?: SavedBoard | null
}

/** Updates the snapshot of this suite version and its row index, writing only rows that changed. */
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
  // Raw SQL: Prisma's upsert reads megabytes back, and objects of 200 rows take longer than their ids.
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

  /**
   * Replaces what differs from the last save. False = the stored board is not the one saved last, so all rows have to
   * be compared.
   */
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

  // A lost board is computed again when the worker starts.
  await withDatabaseErrors(() => inTransaction(db, save, { isDerived: true }))
  return saved
}

/**
 * Returns the stored board; null = none is stored, or it has an older shape, which the worker replaces when it starts.
 * Throws an AppError when the stored texts are damaged: they are removed, and the worker builds the board again.
 */
export async function findBoard(db: DbOrTx, suiteDigest: Digest): Promise<BoardRecord | null> {
  const [stamp] = await listStamps(db, { suiteDigest })
  const record = stamp ? await readRecord(db, stamp) : null
  if (record !== 'damaged') return record
  const message =
    'the stored leaderboard was damaged and is being built again from its episodes: try again in a moment'
  throw new AppError('database-busy', message, { retryAfterMs: RETRY_MS })
}

/** The worker looks for missing boards at this interval, and builds most of them faster. */
const RETRY_MS = 5000

/** Returns the text of a stored board; null = it no longer has this digest. */
export async function findBoardText(
  db: Db,
  suiteDigest: Digest,
  digest: string,
): Promise<string | null> {
  const stored = await findBoardTexts(db, suiteDigest)
  return stored?.digest === digest ? stored.text : null
}

/** Lists the boards of every version of a suite that has episodes, newest first. */
export function listBoards(db: Db, suiteId: string): Promise<BoardRecord[]> {
  return listRecords(db, { suiteId })
}

/** Lists all stored boards. */
export function listAllBoards(db: Db): Promise<BoardRecord[]> {
  return listRecords(db, {})
}

/** Lists the boards, of any suite and version, that show one of these rows. */
export async function listBoardsWithRows(
  db: DbOrTx,
  rowIds: readonly string[],
): Promise<BoardRecord[]> {
  if (rowIds.length === 0) return []
  const where = { rowIds: { some: { rowId: { in: [...rowIds] } } } }
  const records = await listRecords(db, where)
  return records.sort((a, b) => ownRows(b, rowIds) - ownRows(a, rowIds))
}

/**
 * Counts the rows with one of these ids. Boards where it is a row's current id rank before those where it is an earlier
 * one.
 */
function ownRows({ board }: BoardRecord, rowIds: readonly string[]): number {
  return board.rows.filter(({ rowId }) => rowIds.includes(rowId)).length
}

/** A row's place on the boards; `version` null = the suite's current one. */
type RowPlace = { suiteId: string; version: string | null; subject: string }

/** Returns the ranks of these rows by row id; rows without a stored board are left out. */
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

/** Returns the subject of a row on any stored board; null = unknown. */
export async function findRowSubject(db: DbOrTx, rowId: string): Promise<Subject | null> {
  const boards = await listBoardsWithRows(db, [rowId])
  const rows = boards.flatMap(({ board }) => pickRow(board.rows, rowId) ?? [])
  return rows[0]?.subject ?? null
}

/** Returns whether any stored board has this row. */
export async function hasRow(db: DbOrTx, rowId: string): Promise<boolean> {
  return (await db.boardRowId.findFirst({ where: { rowId } })) !== null
}

/**
 * Lists suites whose board does not include ledger entry `sequence` yet, and those with episodes but no board, whose
 * first episode another process may have stored.
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

/** Lists boards, newest first. Reads only boards that this process has not parsed yet; leaves out damaged ones. */
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
/** Parsed boards cached by a process, one or two megabytes each; more than a server shows at a time. */
const MAX_PARSED = 24

/** Reads and parses a board. Null = it has an older shape, or was replaced since its stamp was read. */
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
  // Inserted again, so that the least recently used board is evicted first.
  parsed.delete(digest)
  parsed.set(digest, board)
  const [oldest] = parsed.keys()
  if (parsed.size > MAX_PARSED && oldest !== undefined) parsed.delete(oldest)
  return board && { board, digest, computedAt: computedAt.toISOString(), ledgerSequence }
}
