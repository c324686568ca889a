import { rawLogEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondBytes } from '#lib/server/http/respond.ts'
import { openLogBytes } from '#lib/server/runs/read-log.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  rawLogEndpoint,
  async ({ request, params: { episodeId }, query: { role } }) =>
    respondBytes(request, await openLogBytes(episodeId, role)),
)
