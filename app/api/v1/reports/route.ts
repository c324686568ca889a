import { cutPage, reportsEndpoint } from '#lib/domain/api/index.ts'
import { AXES } from '#lib/domain/reports/index.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  reportsEndpoint,
  async ({ request, query: { cursor, limit } }) => {
    const places = AXES.map((axis, at) => ({ axis, at: String(at).padStart(3, '0') }))
    const page = { after: readCursor(cursor), limit }
    const { items, last } = cutPage(places, ({ axis, at }) => [at, axis.slug], page)
    const reports = items.map(({ axis }) => ({ ...axis, letters: [...axis.letters] }))
    return { reports, next: nextPage(request, last) }
  },
)
