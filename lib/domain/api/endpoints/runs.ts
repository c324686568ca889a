import { z } from 'zod'
import { runSummarySchema, runViewSchema } from '../../views/run-view.ts'
import { nextSchema, pageQuery } from '../page-query.ts'
import { bytesSchema, readEndpoint } from '../read-endpoint.ts'
import { runId, suiteParameter } from './parameters.ts'

const part = 'runs'
const stream = {
  params: { runId },
  query: {
    from: z
      .string()
      .max(500)
      .optional()
      .meta({ description: 'Continue after this event, like the header Last-Event-ID.' }),
  },
  answer: { name: 'EventStream', schema: bytesSchema },
  types: ['text/event-stream'],
  statuses: [404, 503],
  pool: 'streams',
} as const

export const runsEndpoint = readEndpoint({
  id: 'listRuns',
  part,
  path: '/runs',
  summary: 'List runs and queued jobs, newest first',
  query: { suite: suiteParameter, ...pageQuery },
  answer: {
    name: 'RunList',
    schema: z.object({ runs: z.array(runSummarySchema), next: nextSchema }),
  },
})

export const runEndpoint = readEndpoint({
  id: 'getRun',
  part,
  path: '/runs/{runId}',
  summary: 'Get a run with its plan, progress and attempts',
  params: { runId },
  answer: { name: 'RunView', schema: runViewSchema },
  statuses: [404],
})

export const runEventsEndpoint = readEndpoint({
  id: 'followRun',
  part,
  path: '/runs/{runId}/events',
  summary: 'Stream the events of a run (server-sent events)',
  ...stream,
})

export const runLogEndpoint = readEndpoint({
  id: 'followRunLog',
  part,
  path: '/runs/{runId}/log/stream',
  summary: 'Stream the log lines of a run (server-sent events)',
  ...stream,
})
