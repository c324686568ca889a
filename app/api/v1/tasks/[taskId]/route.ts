import { taskEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { findTasks } from '#lib/server/board/suites.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  taskEndpoint,
  async ({ params: { taskId }, query: { suite } }) => {
    const found = await findTasks(taskId)
    const wanted = suite === undefined ? found : found.filter((one) => one.suite.suiteId === suite)
    const [task, ...more] = wanted
    const place = suite === undefined ? 'no suite here' : `suite ${suite} does not`
    if (!task) throw new AppError('not-found', `${place} has a task ${taskId.slice(0, 80)}`)
    if (more.length === 0) return task
    const names = wanted.map((one) => one.suite.suiteId).join(', ')
    throw new AppError('conflict', `${taskId} is a task of ${names}: say which with suite=`)
  },
)
