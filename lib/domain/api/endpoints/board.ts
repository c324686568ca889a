import { z } from 'zod'
import { boardSchema, shieldsResponseSchema } from '../../board/index.ts'
import { COMPARISON_FORMATS, comparisonViewSchema } from '../../compare/index.ts'
import { digestSchema } from '../../digest/index.ts'
import { anyPlanSchema, subjectKindSchema } from '../../record/index.ts'
import { AXES, AXIS_SLUGS, axisReportSchema, axisSchema } from '../../reports/index.ts'
import { taskSchema } from '../../tasks/index.ts'
import { CHART_FORMATS, CHART_NAMES, CHART_SCALES } from '../chart-view.ts'
import { listAnswer, pageQuery } from '../page.ts'
import { bytesSchema, readEndpointsOf, rowId, suiteParameter } from '../read-endpoint.ts'
import {
  rowViewSchema,
  subjectSummarySchema,
  subjectViewSchema,
  suiteSummarySchema,
  suiteViewSchema,
  taskViewSchema,
} from '../suite-view.ts'

const boardRead = readEndpointsOf('board')
const rows = z
  .string()
  .max(2000)
  .default('')
  .meta({ description: 'Two to eight row ids of one suite version, separated by commas.' })

export const leaderboardEndpoint = boardRead({
  id: 'getLeaderboard',
  path: '/leaderboard',
  summary: 'Get the leaderboard of a suite, with rates, intervals, labels and reasons',
  description:
    'Identical to the output of `proofboard server board rebuild`. Without `suite`, the first suite.',
  query: {
    suite: suiteParameter,
    version: digestSchema.optional().meta({ description: 'Digest of an earlier version.' }),
  },
  response: { name: 'Board', schema: boardSchema },
  statuses: [404],
})

export const chartEndpoint = boardRead({
  id: 'getChart',
  path: '/leaderboard/chart',
  summary: 'Get a card of a chart of a leaderboard or report, or the values of the chart',
  description:
    'The card is an image for other sites: the first entries with their values, sample size, suite version and date.',
  query: {
    suite: z.string().min(1).max(80).meta({ description: 'A suite id.' }),
    version: digestSchema.optional().meta({ description: 'Digest of an earlier version.' }),
    chart: z.enum(CHART_NAMES).default('success').meta({ description: 'Which chart.' }),
    band: z
      .string()
      .max(40)
      .optional()
      .meta({ description: 'A band of the board: ranked, ranked-scripted, stress, unranked.' }),
    scale: z
      .enum(CHART_SCALES)
      .default('log')
      .meta({ description: 'Scale of cost or time on the page of the chart.' }),
    entries: z
      .string()
      .max(12_000)
      .default('')
      .meta({ description: 'Row ids, separated by commas. Default: all rows.' }),
    agent: z.string().min(1).max(200).optional().meta({ description: 'Of the chart `history`.' }),
    model: z.string().min(1).max(200).optional().meta({ description: 'Of the chart `history`.' }),
    format: z
      .enum(CHART_FORMATS)
      .default('png')
      .meta({ description: 'csv and json return the values.' }),
  },
  response: {
    name: 'ChartValues',
    schema: z.object({
      title: z.string(),
      unit: z.string(),
      sample: z.string(),
      method: z.string(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
    }),
  },
  types: ['image/png', 'image/svg+xml', 'text/csv', 'application/json'],
  statuses: [404],
})

export const rowEndpoint = boardRead({
  id: 'getRow',
  path: '/rows/{rowId}',
  summary: 'Get a row with its leaderboard',
  params: { rowId },
  response: { name: 'RowView', schema: rowViewSchema },
  statuses: [404],
})

export const topUpEndpoint = boardRead({
  id: 'getTopUp',
  path: '/rows/{rowId}/top-up',
  summary: 'Get a frozen plan of the missing episodes of a row',
  description:
    '`frozenAt` is the time of the request. The digest does not cover it and stays the same.',
  params: { rowId },
  query: {
    goal: z
      .enum(['aggregate', 'per-task'])
      .default('aggregate')
      .meta({ description: 'Enough episodes for the whole suite, or for each task.' }),
  },
  response: { name: 'Plan', schema: anyPlanSchema },
  statuses: [404, 409],
})

export const badgeEndpoint = boardRead({
  id: 'getBadge',
  path: '/rows/{rowId}/badge.svg',
  summary: 'Get the badge of a row',
  description:
    'An unranked row gets a badge without a rate. An unknown row gets a badge too, with status 404.',
  params: { rowId },
  response: { name: 'Svg', schema: bytesSchema },
  types: ['image/svg+xml'],
  statuses: [404],
  pool: 'badges',
})

export const shieldsEndpoint = boardRead({
  id: 'getShieldsBadge',
  path: '/rows/{rowId}/badge.json',
  summary: 'Get the badge of a row for shields.io',
  description:
    'Returns 200 for an unknown row too, because the shields.io schema has its own errors.',
  params: { rowId },
  response: { name: 'ShieldsBadge', schema: shieldsResponseSchema },
  pool: 'badges',
})

export const rowPreviewEndpoint = boardRead({
  id: 'getRowPreview',
  path: '/rows/{rowId}/preview.png',
  summary: 'Get the link preview image of a row, 1200 × 630',
  params: { rowId },
  response: { name: 'Picture', schema: bytesSchema },
  types: ['image/png'],
  statuses: [404],
  pool: 'pictures',
})

export const compareEndpoint = boardRead({
  id: 'compareRows',
  path: '/compare',
  summary: 'Compare two to eight rows of one suite version',
  query: {
    rows,
    format: z
      .enum(['json', ...COMPARISON_FORMATS])
      .default('json')
      .meta({
        description:
          'pairs and tasks return a CSV file with exact values (unknown ones are empty), markdown a file with both.',
      }),
  },
  response: { name: 'Comparison', schema: comparisonViewSchema },
  types: ['application/json', 'text/csv', 'text/markdown'],
  statuses: [404, 409],
})

export const comparePreviewEndpoint = boardRead({
  id: 'getComparisonPreview',
  path: '/compare/preview.png',
  summary: 'Get the link preview image of a comparison, 1200 × 630',
  query: { rows },
  response: { name: 'Picture', schema: bytesSchema },
  types: ['image/png'],
  statuses: [404, 409],
  pool: 'pictures',
})

export const reportsEndpoint = boardRead({
  id: 'listReports',
  path: '/reports',
  summary: 'List the report axes',
  response: listAnswer('ReportList', { reports: z.array(axisSchema) }),
  query: pageQuery,
})

export const reportEndpoint = boardRead({
  id: 'getReport',
  path: '/reports/{axis}',
  summary: 'Get the report of one axis of a suite',
  params: {
    axis: z
      .string()
      .meta({ description: `One of ${AXIS_SLUGS.join(', ')}.`, example: AXES[0]?.slug }),
  },
  query: {
    suite: suiteParameter,
    format: z
      .enum(['json', 'csv', 'markdown'])
      .default('json')
      .meta({ description: 'csv and markdown return a file.' }),
  },
  response: { name: 'Report', schema: axisReportSchema },
  types: ['application/json', 'text/csv', 'text/markdown'],
  statuses: [404],
})

export const subjectsEndpoint = boardRead({
  id: 'listSubjects',
  path: '/subjects',
  summary: 'List agents, libraries and controls by name',
  query: {
    kind: subjectKindSchema.optional().meta({ description: 'Agents, libraries or controls only.' }),
    ...pageQuery,
  },
  response: listAnswer('SubjectList', { subjects: z.array(subjectSummarySchema) }),
})

export const subjectEndpoint = boardRead({
  id: 'getSubject',
  path: '/subjects/{subjectId}',
  summary: 'Get a subject with its rows on all leaderboards',
  params: { subjectId: z.string().meta({ description: 'The digest from the list.' }) },
  response: { name: 'SubjectView', schema: subjectViewSchema },
  statuses: [404],
})

const suitesRead = readEndpointsOf('suites')
const suiteId = z.string().meta({ description: 'A suite id.' })
const version = digestSchema
  .optional()
  .meta({ description: 'Digest of an earlier version. Default: the current version.' })

export const suitesEndpoint = suitesRead({
  id: 'listSuites',
  path: '/suites',
  summary: 'List all suites with their numbers of tasks and rows',
  query: pageQuery,
  response: listAnswer('SuiteList', { suites: z.array(suiteSummarySchema) }),
})

export const suiteEndpoint = suitesRead({
  id: 'getSuite',
  path: '/suites/{suiteId}',
  summary: 'Get a suite with its thresholds and versions',
  params: { suiteId },
  query: { version },
  response: { name: 'SuiteView', schema: suiteViewSchema },
  statuses: [404],
})

export const tasksEndpoint = suitesRead({
  id: 'listTasks',
  path: '/suites/{suiteId}/tasks',
  summary: 'List the tasks of a suite with their success criteria',
  params: { suiteId },
  query: { version, ...pageQuery },
  response: listAnswer('TaskList', { tasks: z.array(taskSchema) }),
  statuses: [404],
})

export const taskEndpoint = suitesRead({
  id: 'getTask',
  path: '/tasks/{taskId}',
  summary: 'Get a task with its success criteria',
  description: '`suite` is required if several suites have a task with this id.',
  params: { taskId: z.string().meta({ description: 'A task id.' }) },
  query: { suite: suiteParameter },
  response: { name: 'TaskView', schema: taskViewSchema },
  statuses: [404, 409],
})
