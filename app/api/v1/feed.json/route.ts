import { jsonFeedEndpoint } from '#lib/domain/api/index.ts'
import { answerJsonFeed } from '#lib/server/http/feed-response.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  jsonFeedEndpoint,
  ({ request, query }) => answerJsonFeed(request, query),
)
