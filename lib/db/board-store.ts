import { type Board, boardSchema } from '#lib/domain/board/board-row.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { digestBytes } from '#lib/domain/digest.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db } from './open-db.ts'

export type BoardRecord = { board: Board; digest: string; computedAt: string }

/** Replaces a suite's snapshot. */
export async function saveBoard(db: Db, board: Board, now: Date): Promise<void> {
  const text = canonicalJson(board)
  const row = { board: text, digest: digestBytes(text), computedAt: now }
  const { suiteId } = board.suite
  const work = db.boardSnapshot.upsert({
    where: { suiteId },
    create: { suiteId, ...row },
    update: row,
  })
  await withDatabaseErrors(async () => work)
}

/** A snapshot of an older shape counts as none: the worker makes a new one when it starts. */
export async function findBoard(db: Db, suiteId: string): Promise<BoardRecord | null> {
  const row = await db.boardSnapshot.findUnique({ where: { suiteId } })
  if (!row) return null
  const parsed = boardSchema.safeParse(JSON.parse(row.board))
  if (!parsed.success) return null
  return { board: parsed.data, digest: row.digest, computedAt: row.computedAt.toISOString() }
}
