import { boardExportEndpoint } from '#lib/domain/api/index.ts'
import { exportBoard } from '#lib/server/board/export.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { respondExport } from '#lib/server/http/respond-stream.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  boardExportEndpoint,
  async ({ request, query: { suite, version = null, format } }) => {
    const { name, type, text } = await exportBoard(suite, version, format)
    async function* pieces() {
      yield text
    }
    return respondExport(request, { name, type, tag: text, pieces })
  },
)
