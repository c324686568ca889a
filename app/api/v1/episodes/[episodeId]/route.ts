import { episodeEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { getEpisode } from '#lib/server/runs/episodes.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  episodeEndpoint,
  async ({ params: { episodeId } }) => {
    const episode = await getEpisode(episodeId)
    if (!episode)
      throw new AppError('not-found', `no episode ${episodeId.slice(0, 80)} is stored here`)
    return episode
  },
)
