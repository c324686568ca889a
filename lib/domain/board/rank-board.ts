import { subjectLabel } from '../record/index.ts'
import { RANK_OPTIONS, RankMemory, rankRows } from '../statistics/index.ts'
import { type Board, type BoardRow, type RankPool, rankPoolSchema } from './board-row.ts'
import { rankPoolOf } from './row-words.ts'

export const RANKING_METHOD =
  'mean over tasks; better on these tasks by paired sign-flip tests on common tasks, families of six or more flipped together; excluded attempts read against each verdict, ' +
  'Holm over all pairs (strong family-wise error control); ' +
  'rank ranges and letters from these verdicts, simultaneous for all entries'

type RankedRow = Pick<BoardRow, 'rank'> & { row: BoardRow }
type RankedPool = { rows: RankedRow[]; ranking: Board['rankings'][number] }
type LastRanking = { memory: RankMemory; members: readonly BoardRow[]; ranked: RankedPool }

/** Results of the last ranking, by pool. */
export type PoolMemory = Map<RankPool, LastRanking>

/**
 * Ranks the eligible rows of each pool and sorts all rows: pool by pool, best first, then the others by rate. An
 * unranked row has no rank, so that it cannot appear as a win.
 */
export function rankBoard(
  rows: readonly BoardRow[],
  memory: PoolMemory = new Map(),
): Pick<Board, 'rankings'> & { rows: RankedRow[] } {
  const pools = rankPoolSchema.options.map((pool) => {
    const members = rows.filter((row) => rankPoolOf(row) === pool)
    const last = memory.get(pool)
    const own = last?.memory ?? new RankMemory()
    // A run in progress changes a row that is not ranked until it has ended.
    const isSame = last !== undefined && hasSameRows(last.members, members)
    const ranked = isSame ? last.ranked : rankPool(pool, members, own)
    memory.set(pool, { memory: own, members, ranked })
    return ranked
  })
  const ranked = pools.flatMap((pool) => pool.rows)
  const rest = sortByRate(rows.filter((row) => rankPoolOf(row) === null)).map((row) => ({
    row,
    rank: null,
  }))
  const rankings = pools.flatMap(({ ranking }) => (ranking.rows > 0 ? [ranking] : []))
  return { rankings, rows: [...ranked, ...rest] }
}

function hasSameRows(one: readonly BoardRow[], other: readonly BoardRow[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index])
}

function rankPool(pool: RankPool, rows: readonly BoardRow[], memory: RankMemory): RankedPool {
  const members = new Map(rows.map((row) => [row.rowId, row]))
  const inputs = rows.map((row) => ({
    key: row.rowId,
    label: subjectLabel(row.subject),
    tallies: row.tasks,
    looks: row.looks,
  }))
  const { rows: ranked, ...basis } = rankRows(inputs, RANK_OPTIONS, memory)
  const ordered = ranked.map(({ key, ...rank }) => ({ row: members.get(key) as BoardRow, rank }))
  return {
    rows: ordered,
    ranking: { pool, rows: ordered.length, ...basis, method: RANKING_METHOD },
  }
}

function sortByRate(rows: readonly BoardRow[]): BoardRow[] {
  const keyed = rows.map((row) => ({
    row,
    rate: row.success.rate ?? -1,
    key: `${subjectLabel(row.subject)}\n${row.rowId}`,
  }))
  keyed.sort((a, b) => b.rate - a.rate || (a.key < b.key ? -1 : 1))
  return keyed.map(({ row }) => row)
}
