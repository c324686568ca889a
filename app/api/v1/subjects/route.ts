import { subjectsEndpoint } from '#lib/domain/api/index.ts'
import { listSubjectSummaries } from '#lib/server/board/rows.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  subjectsEndpoint,
  async ({ request, query: { kind, cursor, limit } }) => {
    const { items, last } = await listSubjectSummaries(
      { kind },
      { after: readCursor(cursor), limit },
    )
    return { subjects: items, next: nextPage(request, last) }
  },
)
