import { shardReportRoute } from '#lib/server/http/remote-route.ts'

export const dynamic = 'force-dynamic'

/** Receives progress of a shard on another machine, with the token of its run; returns whether it continues. */
export const { POST, GET, HEAD, PUT, PATCH, DELETE } = shardReportRoute()
