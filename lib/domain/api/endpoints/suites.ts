import { z } from 'zod'
import { digestSchema } from '../../digest.ts'
import { taskSchema } from '../../task.ts'
import { suiteSummarySchema, suiteViewSchema, taskViewSchema } from '../../views/suite-view.ts'
import { nextSchema, pageQuery } from '../page-query.ts'
import { readEndpoint } from '../read-endpoint.ts'
import { suiteParameter } from './parameters.ts'

const part = 'suites'
const suiteId = z.string().meta({ description: 'A suite id.' })
const version = digestSchema
  .optional()
  .meta({ description: 'Digest of an earlier version. Default: the current version.' })

export const suitesEndpoint = readEndpoint({
  id: 'listSuites',
  part,
  path: '/suites',
  summary: 'List all suites with their numbers of tasks and rows',
  query: pageQuery,
  answer: {
    name: 'SuiteList',
    schema: z.object({ suites: z.array(suiteSummarySchema), next: nextSchema }),
  },
})

export const suiteEndpoint = readEndpoint({
  id: 'getSuite',
  part,
  path: '/suites/{suiteId}',
  summary: 'Get a suite with its thresholds and versions',
  params: { suiteId },
  query: { version },
  answer: { name: 'SuiteView', schema: suiteViewSchema },
  statuses: [404],
})

export const tasksEndpoint = readEndpoint({
  id: 'listTasks',
  part,
  path: '/suites/{suiteId}/tasks',
  summary: 'List the tasks of a suite with their success criteria',
  params: { suiteId },
  query: { version, ...pageQuery },
  answer: {
    name: 'TaskList',
    schema: z.object({ tasks: z.array(taskSchema), next: nextSchema }),
  },
  statuses: [404],
})

export const taskEndpoint = readEndpoint({
  id: 'getTask',
  part,
  path: '/tasks/{taskId}',
  summary: 'Get a task with its success criteria',
  description: '`suite` is required if several suites have a task with this id.',
  params: { taskId: z.string().meta({ description: 'A task id.' }) },
  query: { suite: suiteParameter },
  answer: { name: 'TaskView', schema: taskViewSchema },
  statuses: [404, 409],
})
