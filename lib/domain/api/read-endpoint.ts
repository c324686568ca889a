import { z } from 'zod'
import { evidenceFileSchema } from '../record/index.ts'
import type { ReadPool } from './rate-limit.ts'

/** Parts of the API, in the order of its documentation. */
export const API_PARTS = ['board', 'suites', 'runs', 'episodes', 'ledger', 'methods'] as const
type ApiPart = (typeof API_PARTS)[number]

/** Media types of a response besides JSON. */
type MediaType =
  | 'application/atom+xml'
  | 'application/feed+json'
  | 'application/json'
  | 'application/schema+json'
  | 'application/x-ndjson'
  | 'application/xml'
  | 'image/jpeg'
  | 'image/png'
  | 'image/svg+xml'
  | 'image/webp'
  | 'text/csv'
  | 'text/event-stream'
  | 'text/markdown'
  | 'text/plain'
  | 'text/xml'

type Shape = z.core.$ZodShape

/** Parameters and response of one GET endpoint; both its route and its documentation are made from it. */
export type ReadEndpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  A extends z.ZodType = z.ZodType,
> = {
  /** Stable: the operation's id in the OpenAPI document. */
  id: string
  part: ApiPart
  /** Path below /api/v1, parameters in braces: `/runs/{runId}`. */
  path: string
  summary: string
  description?: string
  params: z.ZodObject<P>
  query: z.ZodObject<Q>
  /** Schema and name of a JSON response; for other media types, of one piece of it. */
  response: { name: string; schema: A }
  types: readonly [MediaType, ...MediaType[]]
  /** Statuses besides those that every read may return. */
  statuses: readonly number[]
  /** The pool whose limit counts a request; null = unlimited, for probes. */
  pool: ReadPool | null
}

type Order<P extends Shape, Q extends Shape, A extends z.ZodType> = Pick<
  ReadEndpoint,
  'id' | 'path' | 'summary'
> & {
  description?: string
  params?: P
  query?: Q
  response: { name: string; schema: A }
  types?: readonly [MediaType, ...MediaType[]]
  statuses?: readonly number[]
  pool?: ReadPool | null
}

/** Returns a function that describes an endpoint of a part, with defaults: JSON, no parameters, the reads' limit. */
export function readEndpointsOf(part: ApiPart) {
  return <
    A extends z.ZodType,
    P extends Shape = Record<never, never>,
    Q extends Shape = Record<never, never>,
  >({
    params,
    query,
    ...rest
  }: Order<P, Q, A>): ReadEndpoint<P, Q, A> => ({
    part,
    types: ['application/json'],
    statuses: [],
    pool: 'reads',
    ...rest,
    params: z.object(params ?? ({} as P)),
    // An ignored, mistyped filter would return other data than requested.
    query: z.strictObject(query ?? ({} as Q)),
  })
}

/** Bytes that are not JSON. */
export const bytesSchema = z.string().meta({ description: 'Bytes, no JSON.' })

export const suiteParameter = z
  .string()
  .min(1)
  .max(80)
  .optional()
  .meta({ description: 'A suite id.' })

/** Role of one of an episode's evidence files. */
export const roleParameter = evidenceFileSchema.shape.role
  .default('subject-log')
  .meta({ description: 'The evidence file.' })

export const runId = z.string().meta({ description: 'A run id, `run_…`.' })
export const episodeId = z.string().meta({ description: 'An episode id, `ep_…`.' })
export const rowId = z.string().meta({ description: 'A row id from the leaderboard.' })
export const planDigest = z.string().meta({ description: 'A plan digest, `sha256:…`.' })
