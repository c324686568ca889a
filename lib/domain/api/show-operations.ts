import { API_PREFIX, type OpenApi } from './openapi.ts'

/** A parameter for display, its values described in a few words. */
export type ShownParameter = {
  name: string
  place: string
  required: boolean
  what: string
  values: string
}

/** One operation of the document for display. */
export type ShownOperation = ReturnType<typeof show>

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

/** Lists the operations of this API's OpenAPI document, in its order. */
export function listOperations(document: OpenApi): ShownOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      show(operation as Operation, { method: method.toUpperCase(), path: `${API_PREFIX}${path}` }),
    ),
  )
}

function show(operation: Operation, at: { method: string; path: string }) {
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
      return { name, place, required, what, values: formatValues(schema) }
    }),
    types: Object.keys(content),
    /** Name of the component that a JSON response has the shape of; null = not JSON. */
    response: reference?.split('/').at(-1) ?? null,
    statuses: Object.keys(responses),
  }
}

/** `aggregate, per-task; default aggregate`, `1 to 500; default 50`. */
function formatValues({ enum: known, minimum, maximum, default: usual, type }: Schema): string {
  const values = Array.isArray(known) ? known.join(', ') : formatRange(type, minimum, maximum)
  return usual === undefined || usual === '' ? values : `${values}; default ${String(usual)}`
}

function formatRange(type: unknown, least: unknown, most: unknown): string {
  if (type !== 'integer') return 'text'
  const isBounded = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER
  return isBounded ? `${String(least)} to ${most}` : 'an integer'
}

type Names = Readonly<Record<string, string>>

/** Example queries, the most typical use of an address. */
const QUERIES: Record<string, (names: Names) => string> = {
  getLeaderboard: ({ suiteId }) => `suite=${suiteId}`,
  compareRows: ({ rowId, otherRowId }) => `rows=${rowId},${otherRowId}`,
  getComparisonPreview: ({ rowId, otherRowId }) => `rows=${rowId},${otherRowId}`,
  getChart: ({ suiteId }) => `suite=${suiteId}&chart=cost`,
  getReport: ({ suiteId }) => `suite=${suiteId}&format=csv`,
  getTask: ({ suiteId }) => `suite=${suiteId}`,
  listRuns: ({ suiteId }) => `suite=${suiteId}&limit=20`,
  listEpisodes: ({ suiteId }) => `suite=${suiteId}&outcome=solved&limit=20`,
  listLedger: () => 'limit=20',
  exportLeaderboard: ({ suiteId }) => `suite=${suiteId}&format=csv`,
  exportRow: () => 'format=csv',
  exportRun: () => 'format=ctrf',
  getLogRange: () => 'role=subject-log&offset=0&length=65536',
  getLogLines: () => 'role=subject-log&line=1&limit=100',
  searchLog: () => 'role=subject-log&q=error',
}

/** Address of an operation on a server with these names: `/api/v1/runs/run_…`. */
export function operationUrl(
  { id, path }: Pick<ShownOperation, 'id' | 'path'>,
  names: Names,
): string {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name)
  const query = QUERIES[id]?.(names)
  return query ? `${place}?${query}` : place
}

const SENDING = `-H "Authorization: Bearer $PROOFBOARD_TOKEN" -H 'Content-Type: application/json' --data-binary @result.json`

/** Shell command that calls it, with the flags that its response needs. */
export function curlLine(operation: ShownOperation, address: string, publicUrl: string): string {
  const target = `'${publicUrl.replace(/\/$/, '')}${address}'`
  if (operation.method === 'POST') return `curl -s ${SENDING} ${target}`
  const [type = ''] = operation.types
  const flags = type === 'text/event-stream' ? '-N' : '-s'
  const range = operation.statuses.includes('206') ? ` -H 'Range: bytes=0-1023'` : ''
  const file = type.startsWith('image/') ? ` -o ${address.split('/').at(-1)?.split('?')[0]}` : ''
  return `curl ${flags}${range}${file} ${target}`
}

const MAX_LETTERS = 90
const MAX_DEPTH = 4

/** Shortens an example response: the first item of each list, the beginning of each long text. */
export function shortenExample(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const [first, ...more] = value
    if (first === undefined) return []
    const rest = more.length > 0 ? [`… and ${more.length} more`] : []
    return [shortenExample(first, depth + 1), ...rest]
  }
  if (depth >= MAX_DEPTH) return '…'
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, shortenExample(member, depth + 1)]),
  )
}

function shortenText(text: string): string {
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}
