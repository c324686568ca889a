import { logSearchEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondLines } from '#lib/server/http/respond-stream.ts'
import { findLog } from '#lib/server/runs/read-log.ts'
import { searchLines } from '#lib/server/runs/search-lines.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  logSearchEndpoint,
  async ({ request, params: { episodeId }, query }) => {
    const { role, q, from, limit } = query
    const open = await findLog(episodeId, role)
    return respondLines(request, (signal) => searchLines(open, { text: q, from, limit, signal }))
  },
)
