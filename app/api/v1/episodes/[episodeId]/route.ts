import { getEpisode } from '#lib/episodes/get-episode.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'

/** One episode: the sealed envelope, its diff and solution, the attempts of its slot. */
export const GET = readRoute<{ episodeId: string }>(async (request, { episodeId }) => {
  const episode = await getEpisode(episodeId)
  if (!episode) throw new AppError('not-found', `no episode ${episodeId} is kept here`)
  return respondJson(request, episode)
})
