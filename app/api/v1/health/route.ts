import { healthEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondJson } from '#lib/server/http/respond.ts'
import { getHealth } from '#lib/worker/get-health.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  healthEndpoint,
  async ({ request }) => {
    const health = await getHealth(new Date())
    return respondJson(request, health, { status: health.status === 'down' ? 503 : 200 })
  },
)
