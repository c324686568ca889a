import { subjectLabel } from '../record/index.ts'
import { rankRows } from '../statistics/index.ts'
import { type Board, type BoardRow, type RankPool, rankPoolSchema } from './board-row.ts'
import { rankPoolOf } from './row-words.ts'

export const RANKING_METHOD =
  'mean over tasks; paired sign-flip tests on common tasks, Holm over all pairs (strong family-wise error control); ' +
  'rank ranges and letters from these verdicts, simultaneous for all entries'

/**
 * Ranks the eligible rows of each pool and sorts all rows: pool by pool, best first, then the others by rate. An
 * unranked row has no rank, so that it cannot appear as a win.
 */
export function rankBoard(rows: readonly BoardRow[]): Pick<Board, 'rankings' | 'rows'> {
  const pools = rankPoolSchema.options.map((pool) => rankPool(pool, rows))
  const ranked = pools.flatMap((pool) => pool.rows)
  const rest = rows.filter((row) => rankPoolOf(row) === null).sort(byRate)
  const rankings = pools.flatMap(({ ranking }) => (ranking.rows > 0 ? [ranking] : []))
  return { rankings, rows: [...ranked, ...rest] }
}

function rankPool(pool: RankPool, rows: readonly BoardRow[]) {
  const members = new Map(
    rows.filter((row) => rankPoolOf(row) === pool).map((row) => [row.rowId, row]),
  )
  const inputs = [...members.values()].map((row) => ({
    key: row.rowId,
    label: subjectLabel(row.subject),
    tallies: row.tasks,
    looks: row.looks,
  }))
  const { rows: ranked, ...basis } = rankRows(inputs)
  const ordered = ranked.map(({ key, ...rank }) => ({ ...(members.get(key) as BoardRow), rank }))
  return {
    rows: ordered,
    ranking: { pool, rows: ordered.length, ...basis, method: RANKING_METHOD },
  }
}

function byRate(a: BoardRow, b: BoardRow): number {
  const rates = (b.success.rate ?? -1) - (a.success.rate ?? -1)
  return rates || (sortKey(a) < sortKey(b) ? -1 : 1)
}

function sortKey({ subject, rowId }: BoardRow): string {
  return `${subjectLabel(subject)}\n${rowId}`
}
