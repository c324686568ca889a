import { z } from 'zod'
import { digestSchema } from '../../digest.ts'
import { outcomeStatusSchema } from '../../outcome.ts'
import { episodeViewSchema, logRangeSchema } from '../../views/episode-view.ts'
import { logWindowSchema, searchPartSchema } from '../../views/log-window.ts'
import { episodeSummarySchema } from '../../views/run-view.ts'
import { nextSchema, pageQuery } from '../page-query.ts'
import { bytesSchema, readEndpoint } from '../read-endpoint.ts'
import { episodeId, roleParameter as role, suiteParameter } from './parameters.ts'

const part = 'episodes'
const params = { episodeId }
const lineNumber = z.coerce.number().int().min(1).max(1e12).default(1)

export const episodesEndpoint = readEndpoint({
  id: 'listEpisodes',
  part,
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
  answer: {
    name: 'EpisodeList',
    schema: z.object({ episodes: z.array(episodeSummarySchema), next: nextSchema }),
  },
})

export const episodeEndpoint = readEndpoint({
  id: 'getEpisode',
  part,
  path: '/episodes/{episodeId}',
  summary: 'Get an episode with its diff and solution',
  params,
  answer: { name: 'EpisodeView', schema: episodeViewSchema },
  statuses: [404],
})

export const logsEndpoint = readEndpoint({
  id: 'getLogRange',
  part,
  path: '/episodes/{episodeId}/logs',
  summary: 'Get a part of a log as text, up to 256 kB; continue at `nextOffset`',
  params,
  query: {
    role,
    offset: z.coerce.number().int().nonnegative().optional().meta({ description: 'In bytes.' }),
    length: z.coerce.number().int().positive().optional().meta({ description: 'In bytes.' }),
  },
  answer: { name: 'LogRange', schema: logRangeSchema },
  statuses: [404, 410],
})

export const rawLogEndpoint = readEndpoint({
  id: 'getLogBytes',
  part,
  path: '/episodes/{episodeId}/logs/raw',
  summary: 'Download a log; supports `Range: bytes=…`',
  params,
  query: { role },
  answer: { name: 'Text', schema: bytesSchema },
  types: ['text/plain'],
  statuses: [206, 404, 410, 416],
})

export const logLinesEndpoint = readEndpoint({
  id: 'getLogLines',
  part,
  path: '/episodes/{episodeId}/logs/lines',
  summary: 'Get lines of a log; long lines are truncated',
  params,
  query: {
    role,
    line: lineNumber.meta({ description: 'The first line, counted from 1.' }),
    limit: z.coerce.number().int().min(1).max(512).default(256),
  },
  answer: { name: 'LogLines', schema: logWindowSchema },
  statuses: [404, 410],
})

export const logSearchEndpoint = readEndpoint({
  id: 'searchLog',
  part,
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
  answer: { name: 'SearchPart', schema: searchPartSchema },
  types: ['application/x-ndjson'],
  statuses: [404],
})

export const screenshotEndpoint = readEndpoint({
  id: 'getScreenshot',
  part,
  path: '/episodes/{episodeId}/screenshot',
  summary: 'Get the final screenshot of a browser episode',
  description: 'The original image. Its content is untrusted.',
  params,
  answer: { name: 'Picture', schema: bytesSchema },
  types: ['image/png', 'image/jpeg', 'image/webp'],
  statuses: [404, 410, 422],
})
