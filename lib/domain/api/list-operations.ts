import { API_PREFIX, type OpenApi } from './build-openapi.ts'

/** A parameter as a reader needs it: its values in a few words. */
export type ShownParameter = {
  name: string
  place: string
  required: boolean
  what: string
  values: string
}

/** One operation of the document, ready to be shown. */
export type ShownOperation = {
  id: string
  part: string
  method: string
  /** Whole, with /api/v1. */
  path: string
  summary: string
  description: string | null
  parameters: ShownParameter[]
  types: string[]
  /** The component that a JSON answer has the shape of; null = it is not JSON. */
  answer: string | null
  statuses: string[]
}

type Schema = Record<string, unknown>
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: Schema
  }[]
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>
}

/** The operations of an OpenAPI document of ours, in its order. */
export function listOperations(document: OpenApi): ShownOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      show(operation as Operation, { method: method.toUpperCase(), path: `${API_PREFIX}${path}` }),
    ),
  )
}

function show(operation: Operation, at: { method: string; path: string }): ShownOperation {
  const { operationId, tags, summary, description = null, parameters = [], responses } = operation
  const content = responses['200']?.content ?? {}
  const reference = Object.values(content).find(({ schema }) => schema?.$ref)?.schema?.$ref
  return {
    id: operationId,
    part: tags[0] ?? '',
    ...at,
    summary,
    description,
    parameters: parameters.map(({ name, in: place, required, description: what = '', schema }) => {
      return { name, place, required, what, values: sayValues(schema) }
    }),
    types: Object.keys(content),
    answer: reference?.split('/').at(-1) ?? null,
    statuses: Object.keys(responses),
  }
}

/** `aggregate, per-task; default aggregate`, `1 to 500; default 50`. */
function sayValues({ enum: known, minimum, maximum, default: usual, type }: Schema): string {
  const values = Array.isArray(known) ? known.join(', ') : sayRange(type, minimum, maximum)
  return usual === undefined || usual === '' ? values : `${values}; default ${String(usual)}`
}

function sayRange(type: unknown, least: unknown, most: unknown): string {
  if (type !== 'integer') return 'text'
  const isBounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER
  return isBounded ? `${String(least)} to ${most}` : 'an integer'
}
