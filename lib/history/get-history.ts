import { listBoards } from '#lib/db/board-store.ts'
import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { type HistoryQuery, type HistoryRow, rowHistory } from '#lib/domain/board/row-history.ts'

export type History = { suiteId: string; suiteTitle: string; rows: HistoryRow[] }

/** A subject's rows on every version of a suite, oldest first; null = no such suite. */
export async function getHistory(suiteId: string, query: HistoryQuery): Promise<History | null> {
  const db = database()
  const [suite, records] = await Promise.all([findSuite(db, suiteId), listBoards(db, suiteId)])
  if (!suite) return null
  const rows = rowHistory(
    records.map(({ board }) => board),
    query,
  )
  return { suiteId, suiteTitle: suite.title, rows }
}
