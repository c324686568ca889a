import { compareEndpoint } from '#lib/domain/api/index.ts'
import { exportComparison } from '#lib/domain/compare/index.ts'
import { requireComparison } from '#lib/server/board/compare.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondFile } from '#lib/server/http/respond.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  compareEndpoint,
  async ({ request, query: { rows, format } }) => {
    const comparison = await requireComparison(rows)
    return format === 'json'
      ? comparison
      : respondFile(request, exportComparison(comparison, format))
  },
)
