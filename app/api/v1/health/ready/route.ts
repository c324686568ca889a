import { readyEndpoint } from '#lib/domain/api/index.ts'
import { isReady } from '#lib/server/care/get-health.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  readyEndpoint,
  async () => {
    const ready = await isReady(new Date())
    const result = { status: ready ? 'ok' : 'down' }
    const headers = { 'Cache-Control': 'no-store' }
    return Response.json(result, { status: ready ? 200 : 503, headers })
  },
)
