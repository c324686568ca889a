import { rowExportEndpoint } from '#lib/domain/api/index.ts'
import { openRowExport, respondExported } from '#lib/server/board/export.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  rowExportEndpoint,
  async ({ request, params: { rowId }, query: { format } }) =>
    respondExported(request, await openRowExport(rowId, format), format),
)
