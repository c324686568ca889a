import { z } from 'zod'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { freezeTopUp } from '#lib/planner/get-top-up.ts'

const querySchema = z.object({ goal: z.enum(['aggregate', 'per-task']).default('aggregate') })

/**
 * The plan of what a row lacks, as `plan.json`; `?goal=per-task` aims at a claim about each task. Frozen at the time
 * of the request, so `frozenAt` differs from one to the next; the digest does not cover it and stays the same.
 */
export const GET = readRoute<{ rowId: string }>(async (request, { rowId }) => {
  const { goal } = parseQuery(request, querySchema)
  return respondJson(request, await freezeTopUp(rowId, { kind: goal }, new Date().toISOString()))
})
