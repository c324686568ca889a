import { topUpEndpoint } from '#lib/domain/api/index.ts'
import { freezeTopUp } from '#lib/server/board/get-top-up.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  topUpEndpoint,
  ({ params: { rowId }, query: { goal } }) =>
    freezeTopUp(rowId, { kind: goal }, new Date().toISOString()),
)
