import { buildOpenApi, openApiEndpoint } from '#lib/domain/api/index.ts'
import { currentVersion, env } from '#lib/env.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondJson } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  openApiEndpoint,
  async ({ request }) => {
    const document = buildOpenApi({ publicUrl: env().publicUrl, version: currentVersion() })
    return respondJson(request, document, { cacheControl: 'public, max-age=3600' })
  },
)
