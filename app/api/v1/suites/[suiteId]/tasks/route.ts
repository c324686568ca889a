import { cutPage, tasksEndpoint } from '#lib/domain/api/index.ts'
import { findSuiteOf, suiteNotFoundError } from '#lib/server/board/suites.ts'
import { nextPage, readCursor, readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  tasksEndpoint,
  async ({ request, params: { suiteId }, query }) => {
    const suite = await findSuiteOf(suiteId, query.version)
    if (!suite) throw await suiteNotFoundError(suiteId, query.version)
    const places = suite.tasks.map((task, at) => ({ task, at: String(at).padStart(6, '0') }))
    const page = { after: readCursor(query.cursor), limit: query.limit }
    const { items, last } = cutPage(places, ({ task, at }) => [at, task.taskId], page)
    return { tasks: items.map(({ task }) => task), next: nextPage(request, last) }
  },
)
