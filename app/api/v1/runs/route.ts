import { runsEndpoint } from '#lib/domain/api/index.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'
import { listRunPage } from '#lib/server/runs/runs.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  runsEndpoint,
  async ({ request, query: { suite, cursor, limit } }) => {
    const page = { after: readCursor(cursor), limit }
    const { items, last } = await listRunPage({ suiteId: suite }, page)
    return { runs: items, next: nextPage(request, last) }
  },
)
