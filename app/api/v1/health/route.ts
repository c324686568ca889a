import { healthEndpoint } from '#lib/domain/api/index.ts'
import { getHealth } from '#lib/server/care/get-health.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  healthEndpoint,
  async ({ request }) => {
    const health = await getHealth(new Date())
    return respondJson(request, health, { status: health.status === 'down' ? 503 : 200 })
  },
)
