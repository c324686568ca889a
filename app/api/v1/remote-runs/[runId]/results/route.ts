import { shardResultsRoute } from '#lib/server/http/remote-route.ts'

export const dynamic = 'force-dynamic'

/**
 * Receives results of one try of a shard (`?shard=2&try=1`), with the token of its run. 201 stored, 200 stored already.
 */
export const { POST, GET, HEAD, PUT, PATCH, DELETE } = shardResultsRoute()
