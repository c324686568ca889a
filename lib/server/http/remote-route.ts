import { z } from 'zod'
import type { RemoteRun } from '#lib/db/remote-run-store.ts'
import { type Digest, digestBytes } from '#lib/domain/digest/index.ts'
import { executorSender, MAX_REPORT_BYTES, shardReportSchema } from '#lib/domain/executors/index.ts'
import { admitShard, limitsOfTry, reportShard } from '../remote/shard-reports.ts'
import { postRoute } from './post-route.ts'
import { parseQuery, readRequestBody } from './request.ts'
import { respondDone } from './respond.ts'
import { resultsRoute } from './submission-route.ts'
import { parseJsonBody, requireJsonType } from './write-route.ts'

/** Requests per minute for each shard, enough for a report every few seconds. */
const REPORTS_PER_SHARD = 60

type Params = { runId: string }

/** Creates the POST route for a shard's report, with the token of its run. */
export function shardReportRoute() {
  return postRoute<Params>({
    refused: 'nothing was noted',
    // Shards of many runs may share an address.
    perNetwork: 600,
    response: async ({ request, params: { runId }, requestId, count }) => {
      const now = new Date()
      const { remote, bind } = await admitShard(request.headers, runId, now)
      count('reports', runId, REPORTS_PER_SHARD * (remote.shards + 1))
      const body = await readRequestBody(request, MAX_REPORT_BYTES)
      bind(digestBytes(body))
      requireJsonType(request.headers)
      const report = parseJsonBody(body, shardReportSchema)
      return respondDone({ ...(await reportShard(remote, report, now)), requestId })
    },
  })
}

const querySchema = z.strictObject({
  shard: z.coerce.number().int().min(1).max(10_000),
  try: z.coerce.number().int().min(1).max(10_000),
})

type Admitted = {
  key: string
  remote: RemoteRun
  bind: (body: Digest) => void
  shard: number
  made: number
}

/** Creates the POST route for a shard's results, with the same checks as every upload, and the token of its run. */
export function shardResultsRoute() {
  return resultsRoute<Admitted>({
    admit: async (request, { runId = '' }, now) => {
      const { remote, bind } = await admitShard(request.headers, runId, now)
      const { shard, try: made } = parseQuery(request, querySchema)
      return { key: `remote ${runId} ${shard}`, remote, bind, shard, made }
    },
    order: async (_, { remote, bind, shard, made }) => {
      const { executor } = remote
      const id = executorSender(executor)
      const actor = { kind: 'token', id, name: `${executor} executor`, scopes: [] } as const
      return {
        sender: {
          provenance: 'token',
          actor,
          key: id,
          bind: async (body) => {
            bind(body)
            return null
          },
        },
        dryRun: false,
        details: {},
        remote: await limitsOfTry(remote, { shard, made }),
      }
    },
  })
}
