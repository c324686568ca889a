import { refuseMethod } from '#lib/server/http/read-route.ts'
import { shardReportRoute } from '#lib/server/http/remote-route.ts'

export const dynamic = 'force-dynamic'

/** What a shard of a run on another machine says of itself, under the token of that run; answers whether it goes on. */
export const POST = shardReportRoute()

const refuse = (request: Request) => refuseMethod(request.method, 'POST')

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as PATCH, refuse as PUT }
