import { badgeEndpoint } from '#lib/domain/api/index.ts'
import { badgeText, NO_ROW, renderBadge } from '#lib/domain/board/index.ts'
import { findRow } from '#lib/server/board/rows.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondBadge } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  badgeEndpoint,
  async ({ request, params: { rowId } }) => {
    const found = await findRow(rowId)
    return respondBadge(
      request,
      renderBadge(found ? badgeText(found.row) : NO_ROW),
      found ? 200 : 404,
    )
  },
)
