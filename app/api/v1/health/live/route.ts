import { liveEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

/** Responds while this process runs; checks nothing else. A process manager restarts one that does not respond. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(liveEndpoint, async () =>
  Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } }),
)
