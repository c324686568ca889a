import { runEndpoint } from '#lib/domain/api/index.ts'
import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/server/http/read-route.ts'
import { getRun } from '#lib/server/runs/runs.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  runEndpoint,
  async ({ params: { runId } }) => {
    const run = await getRun(runId)
    if (!run) throw new AppError('not-found', `no run ${runId.slice(0, 80)} is stored here`)
    return run
  },
)
