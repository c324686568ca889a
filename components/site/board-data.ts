import type { RowView } from '#lib/domain/api/index.ts'
import { serializeBoard } from '#lib/domain/board/index.ts'
import { newestBoards, type SiteData, type SiteInput } from './site-input.ts'

const type = 'application/json'

/** Lists the current boards, and every row, in the format of the API. */
export function listBoardData(input: SiteInput): SiteData[] {
  const newest = newestBoards(input)
  const boards = newest.map((board) => ({
    address: leaderboardPath(board.suite.suiteId),
    type,
    write: () => serializeBoard(board),
  }))
  const rows = input.boards.flatMap((board) =>
    board.rows.map((row) => ({
      address: rowDataPath(row.rowId),
      type,
      write: () => {
        const { suiteId, title, digest } = board.suite
        const suite = { suiteId, title, digest }
        const view: RowView = { row, suite, isCurrent: newest.includes(board), exposure: null }
        return JSON.stringify(view)
      },
    })),
  )
  return [...boards, ...rows]
}

export function leaderboardPath(suiteId: string): string {
  return `/api/v1/leaderboard?suite=${encodeURIComponent(suiteId)}`
}

export function rowDataPath(rowId: string): string {
  return `/api/v1/rows/${encodeURIComponent(rowId)}`
}
