import { atifEndpoint } from '#lib/domain/api/index.ts'
import { toAtif } from '#lib/domain/formats/index.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'
import { missingEvidenceError } from '#lib/server/runs/read-log.ts'
import { readWholeTranscript } from '#lib/server/runs/transcript.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  atifEndpoint,
  async ({ params: { episodeId } }) => {
    const view = await getEpisode(episodeId)
    if (!view) throw new AppError('not-found', `no episode ${episodeId} is stored here`)
    const transcript = await readWholeTranscript(episodeId)
    if (!transcript) throw await missingEvidenceError(episodeId, 'transcript')
    return toAtif(view.episode, transcript)
  },
)
