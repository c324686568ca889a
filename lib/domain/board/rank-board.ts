import { subjectLabel } from '../record/index.ts'
import { RANK_OPTIONS, RankMemory, rankRows } from '../statistics/index.ts'
import { type Board, type BoardRow, type RankPool, rankPoolSchema } from './board-row.ts'
import { rowExtender } from './extend-row.ts'
import { rankPoolOf } from './row-words.ts'

export const RANKING_METHOD =
  'mean over tasks; paired sign-flip tests on common tasks, excluded attempts read against each verdict, ' +
  'Holm over all pairs (strong family-wise error control); ' +
  'rank ranges and letters from these verdicts, simultaneous for all entries'

/** What was found when a board was ranked the last time, by pool. */
export type PoolMemory = Map<RankPool, RankMemory>

/**
 * Ranks the eligible rows of each pool and sorts all rows: pool by pool, best first, then the others by rate. An
 * unranked row has no rank, so that it cannot appear as a win.
 */
export function rankBoard(
  rows: readonly BoardRow[],
  memory: PoolMemory = new Map(),
): Pick<Board, 'rankings' | 'rows'> {
  const pools = rankPoolSchema.options.map((pool) => {
    const own = memory.get(pool) ?? new RankMemory()
    memory.set(pool, own)
    return rankPool(pool, rows, own)
  })
  const ranked = pools.flatMap((pool) => pool.rows)
  const rest = sortByRate(rows.filter((row) => rankPoolOf(row) === null))
  const rankings = pools.flatMap(({ ranking }) => (ranking.rows > 0 ? [ranking] : []))
  return { rankings, rows: [...ranked, ...rest] }
}

function rankPool(pool: RankPool, rows: readonly BoardRow[], memory: RankMemory) {
  const members = new Map(
    rows.filter((row) => rankPoolOf(row) === pool).map((row) => [row.rowId, row]),
  )
  const inputs = [...members.values()].map((row) => ({
    key: row.rowId,
    label: subjectLabel(row.subject),
    tallies: row.tasks,
    looks: row.looks,
  }))
  const { rows: ranked, ...basis } = rankRows(inputs, RANK_OPTIONS, memory)
  const ordered = ranked.map(({ key, ...rank }) => withRank(members.get(key) as BoardRow, { rank }))
  return {
    rows: ordered,
    ranking: { pool, rows: ordered.length, ...basis, method: RANKING_METHOD },
  }
}

const withRank = rowExtender<Pick<BoardRow, 'rank'>>(
  ({ rank: one }, { rank: other }) =>
    one?.place === other?.place &&
    one?.low === other?.low &&
    one?.high === other?.high &&
    one?.tieGroup === other?.tieGroup &&
    one?.letters === other?.letters,
)

function sortByRate(rows: readonly BoardRow[]): BoardRow[] {
  const keyed = rows.map((row) => ({ row, rate: row.success.rate ?? -1, key: sortKey(row) }))
  keyed.sort((a, b) => b.rate - a.rate || (a.key < b.key ? -1 : 1))
  return keyed.map(({ row }) => row)
}

/** Rows never change, and a board sorts them each time it is built. */
const sortKeys = new WeakMap<BoardRow, string>()

function sortKey(row: BoardRow): string {
  const key = sortKeys.get(row) ?? `${subjectLabel(row.subject)}\n${row.rowId}`
  sortKeys.set(row, key)
  return key
}
