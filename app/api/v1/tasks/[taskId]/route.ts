import { taskEndpoint } from '#lib/domain/api/index.ts'
import { unknownName } from '#lib/domain/text/index.ts'
import { AppError } from '#lib/errors.ts'
import { findTasks, listTaskIds } from '#lib/server/board/suites.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  taskEndpoint,
  async ({ params: { taskId }, query: { suite } }) => {
    const found = await findTasks(taskId)
    const wanted = suite === undefined ? found : found.filter((one) => one.suite.suiteId === suite)
    const [task, ...more] = wanted
    if (!task) {
      const known = await listTaskIds(suite ?? null)
      throw new AppError('not-found', unknownName('task', taskId.slice(0, 80), known))
    }
    if (more.length === 0) return task
    const names = wanted.map((one) => one.suite.suiteId).join(', ')
    throw new AppError(
      'conflict',
      `${taskId} is a task of several suites (${names}): choose one with suite=`,
    )
  },
)
