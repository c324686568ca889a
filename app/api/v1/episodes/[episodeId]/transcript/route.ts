import { transcriptEndpoint } from '#lib/domain/api/index.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { missingEvidenceError } from '#lib/server/runs/read-log.ts'
import { readTranscript } from '#lib/server/runs/transcript.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  transcriptEndpoint,
  async ({ params: { episodeId }, query }) => {
    const page = await readTranscript(episodeId, query)
    if (!page) throw await missingEvidenceError(episodeId, 'transcript')
    return page
  },
)
