import { refuseMethod } from '#lib/server/http/read-route.ts'
import { shardResultsRoute } from '#lib/server/http/remote-route.ts'

export const dynamic = 'force-dynamic'

/** Results of one try of a shard (`?shard=2&try=1`), under the token of its run. 201 stored, 200 stored already. */
export const POST = shardResultsRoute()

const refuse = (request: Request) => refuseMethod(request.method, 'POST')

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as PATCH, refuse as PUT }
