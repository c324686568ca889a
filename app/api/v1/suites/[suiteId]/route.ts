import { suiteEndpoint } from '#lib/domain/api/index.ts'
import { getSuite, suiteNotFoundError } from '#lib/server/board/suites.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  suiteEndpoint,
  async ({ params: { suiteId }, query: { version } }) => {
    const suite = await getSuite(suiteId, version)
    if (!suite) throw await suiteNotFoundError(suiteId, version)
    return suite
  },
)
