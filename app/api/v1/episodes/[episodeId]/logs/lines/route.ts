import { logLinesEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { readLines } from '#lib/server/runs/read-lines.ts'
import { findLog, missingEvidenceError } from '#lib/server/runs/read-log.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  logLinesEndpoint,
  async ({ params: { episodeId }, query }) => {
    const { role, line, limit } = query
    const window = await readLines(await findLog(episodeId, role), line - 1, limit)
    if (!window) throw await missingEvidenceError(episodeId, role)
    return window
  },
)
