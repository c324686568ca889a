import { atomFeedEndpoint } from '#lib/domain/api/index.ts'
import { answerAtom } from '#lib/server/http/feed-response.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  atomFeedEndpoint,
  ({ request, query }) => answerAtom(request, query),
)
