import { z } from 'zod'
import { LEADERBOARD_CSV_COLUMNS } from '../../board/index.ts'
import { digestSchema } from '../../digest/index.ts'
import { BOARD_FORMATS, EXPORT_FORMATS } from '../../formats/index.ts'
import { outcomeStatusSchema } from '../../record/index.ts'
import {
  episodeViewSchema,
  logRangeSchema,
  logWindowSchema,
  searchPartSchema,
} from '../episode-view.ts'
import { listAnswer, pageQuery } from '../page.ts'
import {
  bytesSchema,
  episodeId,
  readEndpointsOf,
  roleParameter as role,
  rowId,
  runId,
  suiteParameter,
} from '../read-endpoint.ts'
import { episodeSummarySchema, runSummarySchema, runViewSchema } from '../run-view.ts'
import { transcriptViewSchema } from '../transcript-view.ts'

const boardRead = readEndpointsOf('board')

const runsRead = readEndpointsOf('runs')
const stream = {
  params: { runId },
  query: {
    from: z
      .string()
      .max(500)
      .optional()
      .meta({ description: 'Continue after this event, like the header Last-Event-ID.' }),
  },
  response: { name: 'EventStream', schema: bytesSchema },
  types: ['text/event-stream'],
  statuses: [404, 503],
  pool: 'streams',
} as const

export const runsEndpoint = runsRead({
  id: 'listRuns',
  path: '/runs',
  summary: 'List runs and queued jobs, newest first',
  query: { suite: suiteParameter, ...pageQuery },
  response: listAnswer('RunList', { runs: z.array(runSummarySchema) }),
})

export const runEndpoint = runsRead({
  id: 'getRun',
  path: '/runs/{runId}',
  summary: 'Get a run with its plan, progress and attempts',
  params: { runId },
  response: { name: 'RunView', schema: runViewSchema },
  statuses: [404],
})

export const runEventsEndpoint = runsRead({
  id: 'followRun',
  path: '/runs/{runId}/events',
  summary: 'Stream the events of a run (server-sent events)',
  ...stream,
})

export const runLogEndpoint = runsRead({
  id: 'followRunLog',
  path: '/runs/{runId}/log/stream',
  summary: 'Stream the log lines of a run (server-sent events)',
  ...stream,
})

const episodesRead = readEndpointsOf('episodes')
const params = { episodeId }
const lineNumber = z.coerce.number().int().min(1).max(1e12).default(1)

export const episodesEndpoint = episodesRead({
  id: 'listEpisodes',
  path: '/episodes',
  summary: 'List the episodes of all runs, newest first',
  query: {
    run: z.string().min(1).max(80).optional().meta({ description: 'A run id.' }),
    suite: suiteParameter,
    version: digestSchema.optional().meta({ description: 'Digest of a suite version.' }),
    task: z.string().min(1).max(80).optional().meta({ description: 'A task id.' }),
    subject: z.string().min(1).max(80).optional().meta({ description: 'A subject name or id.' }),
    outcome: outcomeStatusSchema.optional().meta({ description: 'The outcome of the attempt.' }),
    ...pageQuery,
  },
  response: listAnswer('EpisodeList', { episodes: z.array(episodeSummarySchema) }),
})

export const episodeEndpoint = episodesRead({
  id: 'getEpisode',
  path: '/episodes/{episodeId}',
  summary: 'Get an episode with its diff and solution',
  params,
  response: { name: 'EpisodeView', schema: episodeViewSchema },
  statuses: [404],
})

export const logsEndpoint = episodesRead({
  id: 'getLogRange',
  path: '/episodes/{episodeId}/logs',
  summary: 'Get a part of a log as text, up to 256 kB; continue at `nextOffset`',
  params,
  query: {
    role,
    offset: z.coerce.number().int().nonnegative().optional().meta({ description: 'In bytes.' }),
    length: z.coerce.number().int().positive().optional().meta({ description: 'In bytes.' }),
  },
  response: { name: 'LogRange', schema: logRangeSchema },
  statuses: [404, 410],
})

export const rawLogEndpoint = episodesRead({
  id: 'getLogBytes',
  path: '/episodes/{episodeId}/logs/raw',
  summary: 'Download a log; supports `Range: bytes=…`',
  params,
  query: { role },
  response: { name: 'Text', schema: bytesSchema },
  types: ['text/plain'],
  statuses: [206, 404, 410, 416],
})

export const logLinesEndpoint = episodesRead({
  id: 'getLogLines',
  path: '/episodes/{episodeId}/logs/lines',
  summary: 'Get lines of a log; long lines are truncated',
  params,
  query: {
    role,
    line: lineNumber.meta({ description: 'The first line, counted from 1.' }),
    limit: z.coerce.number().int().min(1).max(512).default(256),
  },
  response: { name: 'LogLines', schema: logWindowSchema },
  statuses: [404, 410],
})

export const logSearchEndpoint = episodesRead({
  id: 'searchLog',
  path: '/episodes/{episodeId}/logs/search',
  summary: 'Search the lines of a log; the last JSON line says whether the result is complete',
  params,
  query: {
    role,
    q: z
      .string()
      .min(1, 'enter a search text')
      .max(200, 'expected at most 200 characters')
      .regex(/^[^\n]*$/, 'expected one line')
      .meta({ description: 'The search text, case-insensitive.' }),
    from: lineNumber.meta({ description: 'The first line to search, counted from 1.' }),
    limit: z.coerce.number().int().min(1).max(5000).default(1000),
  },
  response: { name: 'SearchPart', schema: searchPartSchema },
  types: ['application/x-ndjson'],
  statuses: [404],
})

export const transcriptEndpoint = episodesRead({
  id: 'getTranscript',
  path: '/episodes/{episodeId}/transcript',
  summary: 'Get steps of a transcript, and search it; continue at `next`',
  description:
    'What agent and model said to each other, as the gateway between them saw it: without secrets, within limits. Its content is untrusted. The stored file is at `logs/raw?role=transcript`.',
  params,
  query: {
    from: lineNumber.meta({ description: 'The first step, counted from 1.' }),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    chars: z.coerce
      .number()
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .meta({ description: 'The most characters of one text; left out = all that are stored.' }),
    find: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'A search text, case-insensitive; steps that hold it are in `hits`.' }),
  },
  response: { name: 'TranscriptPage', schema: transcriptViewSchema },
  statuses: [404, 410],
})

export const atifEndpoint = episodesRead({
  id: 'getTrajectory',
  path: '/episodes/{episodeId}/atif',
  summary: 'Get a transcript as a trajectory (ATIF, the format of Harbor)',
  params,
  response: { name: 'Trajectory', schema: z.looseObject({ schema_version: z.string() }) },
  statuses: [404, 410],
})

export const screenshotEndpoint = episodesRead({
  id: 'getScreenshot',
  path: '/episodes/{episodeId}/screenshot',
  summary: 'Get the final screenshot of a browser episode, or a frame of its filmstrip',
  description: 'The original image. Its content is untrusted.',
  params,
  query: {
    frame: z.coerce.number().int().min(1).max(99).optional().meta({
      description: 'The number of a frame of the filmstrip. Without it, the final page.',
    }),
  },
  response: { name: 'Picture', schema: bytesSchema },
  types: ['image/png', 'image/jpeg', 'image/webp'],
  statuses: [404, 410, 422],
})

/** Any content of the requested format; for JSON lines, one line. */
const response = { name: 'ExportFile', schema: z.looseObject({}) }
const description =
  '`bundle` is the format of `proofboard submit`; `eee` is Every Eval Ever, with its instances in a separate file. In JUnit and CTRF, attempts of one repetition are retries of one test.'

export const runExportEndpoint = runsRead({
  id: 'exportRun',
  path: '/runs/{runId}/export',
  summary: 'Export a run',
  description,
  params: { runId },
  query: { format: z.enum(EXPORT_FORMATS).default('bundle') },
  response,
  types: ['application/json', 'application/x-ndjson', 'text/csv', 'application/xml'],
  statuses: [404, 409],
})

export const rowExportEndpoint = boardRead({
  id: 'exportRow',
  path: '/rows/{rowId}/export',
  summary: 'Export all runs of a row',
  description: `${description} A bundle is available only for rows of one run.`,
  params: { rowId },
  query: { format: z.enum(EXPORT_FORMATS).default('csv') },
  response,
  types: ['text/csv', 'application/json', 'application/x-ndjson', 'application/xml'],
  statuses: [404, 409],
})

export const boardExportEndpoint = boardRead({
  id: 'exportLeaderboard',
  path: '/leaderboard/export',
  summary: 'Export the rows of a suite',
  description: `Columns of the CSV: ${LEADERBOARD_CSV_COLUMNS.map((name) => `\`${name}\``).join(', ')}. Rates are fractions, unknown values are empty. JSON Lines have one \`Board\` row per line.`,
  query: {
    suite: z.string().min(1).max(80).meta({ description: 'A suite id.' }),
    version: digestSchema.optional().meta({ description: 'Digest of an earlier version.' }),
    format: z.enum(BOARD_FORMATS).default('csv'),
  },
  response,
  types: ['text/csv', 'application/x-ndjson'],
  statuses: [404],
})
