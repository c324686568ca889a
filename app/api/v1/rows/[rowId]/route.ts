import { rowEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { getRow } from '#lib/server/board/rows.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  rowEndpoint,
  async ({ params: { rowId } }) => {
    const row = await getRow(rowId)
    if (!row) throw new AppError('not-found', `no row ${rowId.slice(0, 80)} on any leaderboard`)
    return row
  },
)
