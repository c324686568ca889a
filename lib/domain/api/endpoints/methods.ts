import { z } from 'zod'
import { healthSchema, methodologyResponseSchema } from '../../reports/index.ts'
import { listAnswer, pageQuery } from '../page.ts'
import { bytesSchema, readEndpointsOf } from '../read-endpoint.ts'

const methodsRead = readEndpointsOf('methods')
const aliveSchema = z.object({ status: z.enum(['ok', 'down']) })
const jsonSchema = z.looseObject({ $id: z.string().optional() })

export const methodologyEndpoint = methodsRead({
  id: 'getMethodology',
  path: '/methodology',
  summary: 'Get the evidence rules, the threat model and the parameters of the methods',
  response: { name: 'Methodology', schema: methodologyResponseSchema },
})

export const schemasEndpoint = methodsRead({
  id: 'listSchemas',
  path: '/schemas',
  summary: 'List all formats by name',
  query: pageQuery,
  response: listAnswer('SchemaList', {
    schemas: z.array(z.object({ name: z.string(), what: z.string(), href: z.string() })),
  }),
})

export const schemaEndpoint = methodsRead({
  id: 'getSchema',
  path: '/schemas/{name}',
  summary: 'Get a format as JSON Schema 2020-12',
  params: { name: z.string().meta({ description: 'A format name from the list.' }) },
  response: { name: 'JsonSchema', schema: jsonSchema },
  types: ['application/schema+json', 'application/json'],
  statuses: [404],
})

export const openApiEndpoint = methodsRead({
  id: 'getOpenApi',
  path: '/openapi.json',
  summary: 'Get this API as an OpenAPI 3.1 document',
  response: {
    name: 'OpenApi',
    schema: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  },
})

export const llmsEndpoint = methodsRead({
  id: 'getLlmsText',
  path: '/llms.txt',
  summary: 'Get what this site contains and how to read its numbers, for language models',
  description: 'The same as `/llms.txt`.',
  response: { name: 'Text', schema: bytesSchema },
  types: ['text/markdown'],
})

export const healthEndpoint = methodsRead({
  id: 'getHealth',
  path: '/health',
  summary: 'Get the health of the server; 503 = the database is unavailable',
  pool: null,
  response: { name: 'Health', schema: healthSchema },
  statuses: [503],
})

export const liveEndpoint = methodsRead({
  id: 'getLive',
  path: '/health/live',
  summary: 'Liveness probe',
  pool: null,
  response: { name: 'Alive', schema: aliveSchema },
})

export const readyEndpoint = methodsRead({
  id: 'getReady',
  path: '/health/ready',
  summary: 'Readiness probe; 503 = do not send traffic to this server',
  pool: null,
  response: { name: 'Alive', schema: aliveSchema },
  statuses: [503],
})
