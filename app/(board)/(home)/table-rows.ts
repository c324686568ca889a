import { packRows } from '#components/board/pack-rows.ts'
import { toTableRows } from '#components/board/to-table-rows.ts'
import { getBoard } from '#lib/server/board/board.ts'
import { byStamp } from '#lib/server/board/by-stamp.ts'

/** A board with the rows of its table, also as one text: React takes ten times as long to send objects. */
export const readTable = byStamp('tables', async (suiteId: string, version: string | null) => {
  const board = await getBoard(suiteId, version)
  if (board === null) return null
  const { rows, common } = toTableRows(board.rows)
  return { board, rows, common, packed: packRows(rows) }
})

export type Table = NonNullable<Awaited<ReturnType<typeof readTable>>>
