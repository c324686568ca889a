import { z } from 'zod'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { listRuns } from '#lib/runs/list-runs.ts'

const querySchema = z.object({
  suite: z.string().min(1).max(80).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
})

/** `?suite=…&limit=…`: runs and waiting jobs, newest first. */
export const GET = readRoute(async (request) => {
  const { suite, limit } = parseQuery(request, querySchema)
  return respondJson(request, { runs: await listRuns({ suiteId: suite, limit }) })
})
