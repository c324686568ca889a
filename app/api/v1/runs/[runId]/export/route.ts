import { runExportEndpoint } from '#lib/domain/api/index.ts'
import { openRunExport, respondExported } from '#lib/server/board/export.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  runExportEndpoint,
  async ({ request, params: { runId }, query: { format } }) =>
    respondExported(request, await openRunExport(runId, format), format),
)
