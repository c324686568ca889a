import { cutPage, FORMATS, schemasEndpoint } from '#lib/domain/api/index.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  schemasEndpoint,
  async ({ request, query: { cursor, limit } }) => {
    const page = { after: readCursor(cursor), limit }
    const { items, last } = cutPage(FORMATS, ({ name }) => [name, ''], page)
    const schemas = items.map(({ name, what }) => {
      return { name, what, href: `/api/v1/schemas/${name}` }
    })
    return { schemas, next: nextPage(request, last) }
  },
)
