import { listSuites } from '#lib/board/list-suites.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'

/** Every suite with the number of its tasks and of its board's rows. */
export const GET = readRoute(async (request) =>
  respondJson(request, { suites: await listSuites() }),
)
