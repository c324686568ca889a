import { runEventsEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { readPlace, respondEvents } from '#lib/server/http/respond-events.ts'
import { openRunEvents } from '#lib/server/live/open-run-stream.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  runEventsEndpoint,
  ({ request, params: { runId } }) =>
    respondEvents(request, (signal) => openRunEvents({ runId, from: readPlace(request), signal })),
)
