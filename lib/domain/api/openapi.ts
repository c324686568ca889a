import { z } from 'zod'
import { assertionSchema } from '../record/index.ts'
import { READ_ENDPOINTS } from './endpoints.ts'
import { API_PARTS, type ReadEndpoint } from './read-endpoint.ts'
import { FORMATS, toJsonSchema } from './schemas.ts'
import { WRITE_ENDPOINTS, type WriteEndpoint } from './write-endpoint.ts'

/** Path prefix of every endpoint in this document. */
export const API_PREFIX = '/api/v1'

type Operation = Record<string, unknown>

export type OpenApi = {
  openapi: string
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

const DESCRIPTION =
  `All data of the pages as JSON. Rates are between 0 and 1, times are milliseconds or ISO 8601
instants in UTC, cost is in millionths of a dollar, digests are \`sha256:\` and 64 digits, and null means unknown, never 0.

Lists are paginated: \`next\` and the header \`Link: …; rel="next"\` contain the URL of the next page. Every response has an \`ETag\`. Reads allow requests from any origin; cookies are not used.`.replaceAll(
    /([^\n])\n(?=[^\n])/g,
    '$1 ',
  )

/** Builds the OpenAPI 3.1 document of this API from the endpoints that its routes are made from. */
export function buildOpenApi({
  publicUrl,
  version,
}: {
  publicUrl: string
  version: string
}): OpenApi {
  const paths: OpenApi['paths'] = {}
  for (const endpoint of READ_ENDPOINTS) paths[endpoint.path] = { get: describeRead(endpoint) }
  for (const endpoint of WRITE_ENDPOINTS) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: describeWrite(endpoint) }
  }
  const writes = WRITE_ENDPOINTS.length > 0 ? [{ name: 'writes' }] : []
  return {
    openapi: '3.1.0',
    info: { title: 'Proofboard', version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: `${publicUrl.replace(/\/$/, '')}${API_PREFIX}` }],
    tags: [...API_PARTS.map((name) => ({ name })), ...writes],
    paths,
    components: {
      schemas: collectSchemas([
        ...READ_ENDPOINTS.filter(({ types }) => types.some(isJson)).map(({ response }) => response),
        ...WRITE_ENDPOINTS.flatMap(({ body, response }) => [body, response]),
      ]),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

type Json = Record<string, unknown>

/** Descriptions of the statuses in the document; 200 and 206 are results, the others problems. */
const STATUS_DESCRIPTIONS: Record<number, string> = {
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
const PROBLEM_TYPE = 'application/problem+json'

/** Describes one read as an operation of an OpenAPI document. */
function describeRead(endpoint: ReadEndpoint): Json {
  const { id, part, summary, description, params, query, statuses } = endpoint
  return {
    operationId: id,
    tags: [part],
    summary,
    ...(description && { description }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    responses: {
      200: {
        description: STATUS_DESCRIPTIONS[200],
        headers: HEADERS,
        content: contentOf(endpoint),
      },
      304: { description: STATUS_DESCRIPTIONS[304] },
      ...problems([...EVERY_READ, ...statuses], endpoint),
    },
  }
}

/** Describes one write as an operation of an OpenAPI document. */
function describeWrite(endpoint: WriteEndpoint): Json {
  const { id, path, summary, description, scope, body, types, response, statuses } = endpoint
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const content = { 'application/json': { schema: referTo(response.name) } }
  return {
    operationId: id,
    tags: ['writes'],
    summary,
    ...(description && { description }),
    ...(names.length > 0 && { parameters: names.map(pathParameter) }),
    security: [{ token: [scope] }],
    requestBody: {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema: referTo(body.name) }])),
    },
    responses: { 200: { description: STATUS_DESCRIPTIONS[200], content }, ...problems(statuses) },
  }
}

function pathParameter(name: string | undefined): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

const HEADERS = {
  ETag: { description: 'Send this value as If-None-Match.', schema: { type: 'string' } },
  Link: { description: 'The next page of a list, rel="next".', schema: { type: 'string' } },
  RateLimit: { description: 'Your remaining requests.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'Your rate limit.', schema: { type: 'string' } },
}

function contentOf({ types, response }: ReadEndpoint): Json {
  return Object.fromEntries(
    types.map((type) => [type, isJson(type) ? { schema: referTo(response.name) } : {}]),
  )
}

/** Includes JSON lines, whose schema is that of each line. */
function isJson(type: string): boolean {
  return /json/.test(type)
}

function problems(statuses: readonly number[], endpoint?: ReadEndpoint): Json {
  const listed = [...new Set(statuses)].sort((a, b) => a - b)
  return Object.fromEntries(
    listed.map((status) => {
      const description = STATUS_DESCRIPTIONS[status] ?? `Status ${status}`
      const isRegular = status < 300 || hasRegularBody(endpoint, status)
      const problem = { [PROBLEM_TYPE]: { schema: referTo('Problem') } }
      const content = isRegular && endpoint ? contentOf(endpoint) : {}
      return [status, { description, content: { ...content, ...(status >= 400 && problem) } }]
    }),
  )
}

/** True for error statuses with a regular body: badges of unknown rows, and health with status 503. */
function hasRegularBody(endpoint: ReadEndpoint | undefined, status: number): boolean {
  if (!endpoint) return false
  return endpoint.pool === 'badges' || (status === 503 && endpoint.path.startsWith('/health'))
}

type ParameterPlace = 'path' | 'query'
type ParameterSchema = Json & { description?: string; example?: unknown }

function parametersOf(shape: z.ZodObject, place: ParameterPlace): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(shape) as {
    properties?: Record<string, ParameterSchema>
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

type JsonSchema = Record<string, unknown>
type Named = { name: string; schema: z.ZodType }

const SCHEMA_PREFIX = '#/components/schemas/'
/** The key under which zod places schemas that refer to themselves and have no name. */
const SHARED = '__shared'

/** Named schemas as JSON Schema; nested ones become references. Throws if two schemas share a name. */
function collectSchemas(named: readonly Named[]): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  const formats = FORMATS.map(({ name, schema }) => ({ name: toTypeName(name), schema }))
  const known = new Map<string, z.ZodType>()
  for (const { name, schema } of [
    ...formats,
    { name: 'Assertion', schema: assertionSchema },
    ...named,
  ]) {
    const earlier = known.get(name)
    if (earlier && earlier !== schema) throw new Error(`${name} is the name of two schemas`)
    if (!earlier && !registry.has(schema)) registry.add(schema, { id: name })
    known.set(name, schema)
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${SCHEMA_PREFIX}${id}`,
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  })
  return flatten(schemas)
}

/** Returns a reference to a named schema. */
function referTo(name: string): JsonSchema {
  return { $ref: `${SCHEMA_PREFIX}${name}` }
}

/** `ledger-entry` → `LedgerEntry`. */
function toTypeName(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}

/** Lists each schema under its own name, together with those that zod shares between them. */
function flatten(schemas: Record<string, object>): Record<string, JsonSchema> {
  const plain = Object.entries(schemas).flatMap(([name, schema]) => {
    const { $schema, $id, $defs, ...rest } = schema as JsonSchema
    if (name !== SHARED) return [[name, rest] as const]
    return Object.entries($defs as Record<string, JsonSchema>).map(
      ([key, shared]) => [`Shared${key.replace('schema', '')}`, shared] as const,
    )
  })
  const text = JSON.stringify(Object.fromEntries(plain))
  const shared = `${SCHEMA_PREFIX}${SHARED}#/$defs/schema`
  return JSON.parse(text.replaceAll(shared, `${SCHEMA_PREFIX}Shared`))
}
