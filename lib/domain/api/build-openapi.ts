import { collectSchemas } from './collect-schemas.ts'
import { describeRead, describeWrite, isJson } from './describe-operation.ts'
import { READ_ENDPOINTS } from './endpoints.ts'
import { API_PARTS } from './read-endpoint.ts'
import { WRITE_ENDPOINTS } from './write-endpoint.ts'

/** Below what everything in this document lies. */
export const API_PREFIX = '/api/v1'

export type Operation = Record<string, unknown>

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

/** This API as an OpenAPI 3.1 document, made from what its routes obey. */
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
        ...READ_ENDPOINTS.filter(({ types }) => types.some(isJson)).map(({ answer }) => answer),
        ...WRITE_ENDPOINTS.flatMap(({ body, answer }) => [body, answer]),
      ]),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}
