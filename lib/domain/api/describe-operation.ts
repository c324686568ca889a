import type { z } from 'zod'
import { referTo } from './collect-schemas.ts'
import { toJsonSchema } from './publish-schema.ts'
import type { ReadEndpoint } from './read-endpoint.ts'
import type { WriteEndpoint } from './write-endpoint.ts'

type Json = Record<string, unknown>

/** Descriptions of the statuses in the document; 200 and 206 are results, the others problems. */
const STATUS_WORDS: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  206: 'The requested range',
  304: 'Not modified',
  400: 'A parameter is invalid or unknown',
  401: 'The token is missing or invalid',
  403: 'The token does not have the required permission',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'The response is not available in a requested media type',
  409: 'Conflicts with stored data',
  410: 'The file was pruned',
  413: 'The body is too large',
  415: 'Unsupported media type',
  416: 'The range is outside the file',
  422: 'The body or the stored file is invalid',
  429: 'Rate limit exceeded; see Retry-After',
  500: 'Internal server error',
  503: 'Service unavailable',
}
const EVERY_READ = [400, 405, 406, 429, 500]
const TYPE_OF_PROBLEM = 'application/problem+json'

/** One read as an operation of an OpenAPI document. */
export function describeRead(endpoint: ReadEndpoint): Json {
  const { id, part, summary, description, params, query, statuses } = endpoint
  return {
    operationId: id,
    tags: [part],
    summary,
    ...(description && { description }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    responses: {
      200: { description: STATUS_WORDS[200], headers: HEADERS, content: contentOf(endpoint) },
      304: { description: STATUS_WORDS[304] },
      ...problems([...EVERY_READ, ...statuses], endpoint),
    },
  }
}

/** One write as an operation of an OpenAPI document. */
export function describeWrite(endpoint: WriteEndpoint): Json {
  const { id, summary, description, scope, body, types, answer, statuses } = endpoint
  const content = { 'application/json': { schema: referTo(answer.name) } }
  return {
    operationId: id,
    tags: ['writes'],
    summary,
    ...(description && { description }),
    security: [{ token: [scope] }],
    requestBody: {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema: referTo(body.name) }])),
    },
    responses: { 200: { description: STATUS_WORDS[200], content }, ...problems(statuses) },
  }
}

const HEADERS = {
  ETag: { description: 'Send this value as If-None-Match.', schema: { type: 'string' } },
  Link: { description: 'The next page of a list, rel="next".', schema: { type: 'string' } },
  RateLimit: { description: 'Your remaining requests.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'Your rate limit.', schema: { type: 'string' } },
}

function contentOf({ types, answer }: ReadEndpoint): Json {
  return Object.fromEntries(
    types.map((type) => [type, isJson(type) ? { schema: referTo(answer.name) } : {}]),
  )
}

/** JSON lines too: the schema is that of each line. */
export function isJson(type: string): boolean {
  return /json/.test(type)
}

function problems(statuses: readonly number[], endpoint?: ReadEndpoint): Json {
  const told = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries(
    told.map((status) => {
      const description = STATUS_WORDS[status] ?? `Status ${status}`
      const isAnswer = status < 300 || answersWith(endpoint, status)
      const problem = { [TYPE_OF_PROBLEM]: { schema: referTo('Problem') } }
      const content = isAnswer && endpoint ? contentOf(endpoint) : {}
      return [status, { description, content: { ...content, ...(status >= 400 && problem) } }]
    }),
  )
}

/** A badge of an unknown row is a badge, and a sick server says how it is. */
function answersWith(endpoint: ReadEndpoint | undefined, status: number): boolean {
  if (!endpoint) return false
  return endpoint.pool === 'badges' || (status === 503 && endpoint.path.startsWith('/health'))
}

type Place = 'path' | 'query'
type Shown = Json & { description?: string; example?: unknown }

function parametersOf(shape: z.ZodObject, place: Place): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(shape) as {
    properties?: Record<string, Shown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description && { description }),
    schema,
  }))
}
