import { episodesEndpoint } from '#lib/domain/api/index.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'
import { listEpisodes } from '#lib/server/runs/episodes.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  episodesEndpoint,
  async ({ request, query }) => {
    const { run, suite, version, task, subject, outcome, cursor, limit } = query
    const filter = {
      runId: run,
      suiteId: suite,
      suiteDigest: version,
      taskId: task,
      subject,
      status: outcome,
    }
    const { items, last } = await listEpisodes(filter, { after: readCursor(cursor), limit })
    return { episodes: items, next: nextPage(request, last) }
  },
)
