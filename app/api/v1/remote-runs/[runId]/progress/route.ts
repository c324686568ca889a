import { refuseMethod } from '#lib/server/http/read-route.ts'
import { shardReportRoute } from '#lib/server/http/remote-route.ts'

export const dynamic = 'force-dynamic'

/** Progress of a shard on another machine, under the token of its run; returns whether it continues. */
export const POST = shardReportRoute()

const refuse = (request: Request) => refuseMethod(request.method, 'POST')

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as PATCH, refuse as PUT }
