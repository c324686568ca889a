import { AppError } from '#lib/errors.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { getRun } from '#lib/runs/get-run.ts'

/** One run: its plan, its progress, every attempt. */
export const GET = readRoute<{ runId: string }>(async (request, { runId }) => {
  const run = await getRun(runId)
  if (!run) throw new AppError('not-found', `no run ${runId} is kept here`)
  return respondJson(request, run)
})
