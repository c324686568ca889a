import { liveEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

/** This process answers; nothing else is asked. Whoever starts processes restarts one that does not. */
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(liveEndpoint, async () =>
  Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } }),
)
