import { buildLlmsText, llmsEndpoint } from '#lib/domain/api/index.ts'
import { env } from '#lib/env.ts'
import { listSuiteSummaries } from '#lib/server/board/suites.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondText } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  llmsEndpoint,
  async ({ request }) => {
    const body = buildLlmsText({ publicUrl: env().publicUrl, suites: await listSuiteSummaries() })
    return respondText(request, body)
  },
)
