import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'
import { getHealth } from '#lib/jobs/get-health.ts'

/** Whether this server can be used, and whether a worker fills its board. 503 = the database cannot be used. */
export const GET = readRoute(async (request) => {
  const health = await getHealth(new Date())
  return respondJson(request, health, health.status === 'down' ? 503 : 200)
})
