import { z } from 'zod'
import { healthSchema } from '../../health/health.ts'
import { methodologyAnswerSchema } from '../../methodology/methodology-answer.ts'
import { nextSchema, pageQuery } from '../page-query.ts'
import { readEndpoint } from '../read-endpoint.ts'

const part = 'methods'
const aliveSchema = z.object({ status: z.enum(['ok', 'down']) })
const jsonSchema = z.looseObject({ $id: z.string().optional() })

export const methodologyEndpoint = readEndpoint({
  id: 'getMethodology',
  part,
  path: '/methodology',
  summary: 'The evidence rules, the threat model and every number behind the methods',
  answer: { name: 'Methodology', schema: methodologyAnswerSchema },
})

export const schemasEndpoint = readEndpoint({
  id: 'listSchemas',
  part,
  path: '/schemas',
  summary: 'Every format that Proofboard reads or writes, by name',
  query: pageQuery,
  answer: {
    name: 'SchemaList',
    schema: z.object({
      schemas: z.array(z.object({ name: z.string(), what: z.string(), href: z.string() })),
      next: nextSchema,
    }),
  },
})

export const schemaEndpoint = readEndpoint({
  id: 'getSchema',
  part,
  path: '/schemas/{name}',
  summary: 'One format as JSON Schema 2020-12',
  params: { name: z.string().meta({ description: 'A format’s name, as the list gives it.' }) },
  answer: { name: 'JsonSchema', schema: jsonSchema },
  types: ['application/schema+json', 'application/json'],
  statuses: [404],
})

export const openApiEndpoint = readEndpoint({
  id: 'getOpenApi',
  part,
  path: '/openapi.json',
  summary: 'This API as an OpenAPI 3.1 document',
  answer: {
    name: 'OpenApi',
    schema: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  },
})

export const healthEndpoint = readEndpoint({
  id: 'getHealth',
  part,
  path: '/health',
  summary: 'Whether this server is well; 503 = its database cannot be used',
  answer: { name: 'Health', schema: healthSchema },
  statuses: [503],
})

export const liveEndpoint = readEndpoint({
  id: 'getLive',
  part,
  path: '/health/live',
  summary: 'Whether this process answers',
  answer: { name: 'Alive', schema: aliveSchema },
})

export const readyEndpoint = readEndpoint({
  id: 'getReady',
  part,
  path: '/health/ready',
  summary: 'Whether pages can be served now; 503 = send people elsewhere',
  answer: { name: 'Alive', schema: aliveSchema },
  statuses: [503],
})
