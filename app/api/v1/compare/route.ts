import { compareEndpoint } from '#lib/domain/api/index.ts'
import { requireComparison } from '#lib/server/board/compare.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  compareEndpoint,
  ({ query: { rows } }) => requireComparison(rows),
)
