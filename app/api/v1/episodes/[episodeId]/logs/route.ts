import { logsEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { missingEvidenceError, readLog } from '#lib/server/runs/read-log.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  logsEndpoint,
  async ({ params: { episodeId }, query }) => {
    const { role, offset, length } = query
    const range = await readLog(episodeId, role, { offset, length })
    if (!range) throw await missingEvidenceError(episodeId, role)
    return range
  },
)
