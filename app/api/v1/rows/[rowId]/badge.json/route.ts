import { shieldsEndpoint } from '#lib/domain/api/index.ts'
import { badgeText, NO_ROW, shieldsResponse } from '#lib/domain/board/index.ts'
import { findRow } from '#lib/server/board/rows.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { BADGE_CACHE, respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  shieldsEndpoint,
  async ({ request, params: { rowId } }) => {
    const found = await findRow(rowId)
    const result = shieldsResponse(found ? badgeText(found.row) : NO_ROW)
    return respondJson(request, result, { cacheControl: BADGE_CACHE })
  },
)
