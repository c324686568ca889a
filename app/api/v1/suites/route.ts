import { cutPage, suitesEndpoint } from '#lib/domain/api/index.ts'
import { listSuiteSummaries } from '#lib/server/board/suites.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  suitesEndpoint,
  async ({ request, query: { cursor, limit } }) => {
    const suites = await listSuiteSummaries()
    // The built-in suite is first, regardless of the other names.
    const first = suites[0]?.suiteId
    const page = { after: readCursor(cursor), limit }
    const { items, last } = cutPage(
      suites,
      ({ suiteId }) => [suiteId === first ? '0' : '1', suiteId],
      page,
    )
    return { suites: items, next: nextPage(request, last) }
  },
)
