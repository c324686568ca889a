import { z } from 'zod'
import { digestSchema } from '../../digest.ts'
import { BOARD_FORMATS, EXPORT_FORMATS } from '../../export/export-formats.ts'
import { readEndpoint } from '../read-endpoint.ts'
import { rowId, runId } from './parameters.ts'

/** Whatever the format says; of lines, one of them. */
const answer = { name: 'ExportFile', schema: z.looseObject({}) }
const description =
  '`bundle` is the format of `proofboard submit`; `eee` is Every Eval Ever, with its instances in a separate file. In JUnit and CTRF, attempts of one repetition are retries of one test.'

export const runExportEndpoint = readEndpoint({
  id: 'exportRun',
  part: 'runs',
  path: '/runs/{runId}/export',
  summary: 'Export a run',
  description,
  params: { runId },
  query: { format: z.enum(EXPORT_FORMATS).default('bundle') },
  answer,
  types: ['application/json', 'application/x-ndjson', 'text/csv', 'application/xml'],
  statuses: [404, 409],
})

export const rowExportEndpoint = readEndpoint({
  id: 'exportRow',
  part: 'board',
  path: '/rows/{rowId}/export',
  summary: 'Export all runs of a row',
  description: `${description} A bundle is available only for rows of one run.`,
  params: { rowId },
  query: { format: z.enum(EXPORT_FORMATS).default('csv') },
  answer,
  types: ['text/csv', 'application/json', 'application/x-ndjson', 'application/xml'],
  statuses: [404, 409],
})

export const boardExportEndpoint = readEndpoint({
  id: 'exportLeaderboard',
  part: 'board',
  path: '/leaderboard/export',
  summary: 'Export the rows of a suite',
  query: {
    suite: z.string().min(1).max(80).meta({ description: 'A suite id.' }),
    version: digestSchema.optional().meta({ description: 'Digest of an earlier version.' }),
    format: z.enum(BOARD_FORMATS).default('csv'),
  },
  answer,
  types: ['text/csv', 'application/x-ndjson'],
  statuses: [404],
})
