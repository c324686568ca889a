import type { z } from 'zod'
import { databaseError } from '../../db/database-error.ts'
import { accepts, type ReadEndpoint } from '../../domain/api/index.ts'
import { decodeParam } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { formatPlace, type Place, parsePlace } from './list-place.ts'
import { type CountedRequest, countRead } from './rate-limiter.ts'
import { refuseHost } from './refuse-request.ts'
import { followRequest, parseQuery } from './request.ts'
import { respondError, respondJson } from './respond.ts'

type Handler<C> = (request: Request, context: C) => Promise<Response>

/** Arguments of a handler: parameters as the endpoint describes them, and the request for everything else. */
type ReadRequest<E extends ReadEndpoint> = {
  params: z.infer<E['params']>
  query: z.infer<E['query']>
  request: Request
}

type Context<E extends ReadEndpoint> = { params: Promise<z.infer<E['params']>> }

type ReadRoute<E extends ReadEndpoint> = Record<
  'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  Handler<Context<E>>
>

/**
 * Creates the route of a public read: applies the rate limit, checks host and Accept, parses parameters, and responds as
 * the endpoint describes. A value of `handle` is sent as JSON, a Response unchanged; errors become problem documents.
 */
export function readRoute<E extends ReadEndpoint>(
  endpoint: E,
  handle: (read: ReadRequest<E>) => Promise<z.input<E['response']['schema']> | Response>,
): ReadRoute<E> {
  const get: Handler<Context<E>> = (request, context) =>
    followRequest(request, async (requestId) => {
      const counted = endpoint.pool && countRead(request.headers, endpoint.pool)
      try {
        checkRequest(request, endpoint, counted)
        // Next passes nothing to a path without parameters.
        const params = decodeParams((await context.params) ?? {})
        const query = parseQuery(request, endpoint.query) as ReadRequest<E>['query']
        const value = await handle({ params, query, request })
        const response = value instanceof Response ? value : respondJson(request, value)
        return addCorsHeaders(linkNext(response, value), counted)
      } catch (error) {
        const retry = counted && !counted.allowed && { 'Retry-After': String(counted.retrySeconds) }
        return addCorsHeaders(respondError(databaseError(error), requestId, { ...retry }), counted)
      }
    })
  const refuse: Handler<Context<E>> = (request) =>
    followRequest(request, async () => refuseMethod(request.method, READ_METHODS))
  return {
    GET: get,
    HEAD: async (request, context) => headOf(await get(request, context)),
    OPTIONS: preflight,
    POST: refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
  }
}

const preflight = (request: Request) => followRequest(request, async () => preflightResponse())

/** Returns 405 with the allowed methods. No CORS header: another site's script could not have sent it. */
export function refuseMethod(method: string, allow: string): Response {
  const message = `${method} is not allowed here. Allowed methods: ${allow}.`
  return respondError(new AppError('method-not-allowed', message), null, { Allow: allow })
}

function checkRequest(
  request: Request,
  { types, pool }: ReadEndpoint,
  counted: CountedRequest | null,
): void {
  if (counted && !counted.allowed) {
    const message = `Too many ${pool} from your address. Retry in ${counted.retrySeconds} s. See the RateLimit headers for your remaining requests.`
    throw new AppError('too-many-requests', message)
  }
  // Probes use any address, and a page of another site has no token.
  if (pool !== null && !request.headers.has('authorization')) {
    const { siteUrl: publicUrl, trustedProxy: isBehindProxy } = env()
    const refusal = refuseHost(request.headers, { publicUrl, isBehindProxy })
    if (refusal) throw new AppError('misdirected', refusal.message)
  }
  if (accepts(request.headers.get('accept'), types)) return
  throw new AppError('not-acceptable', `This endpoint returns only ${types.join(', ')}.`)
}

/** Decodes parameters that may be percent-encoded, `sha256%3A…`. */
function decodeParams<P extends object>(params: P): P {
  const pairs = Object.entries(params).map(([name, value]) => [name, decodeParam(String(value))])
  return Object.fromEntries(pairs)
}

/** Adds the next page of a list, for readers that follow headers (RFC 8288). */
function linkNext(response: Response, value: unknown): Response {
  if (typeof value !== 'object' || value === null || !('next' in value)) return response
  if (typeof value.next === 'string') response.headers.set('Link', `<${value.next}>; rel="next"`)
  return response
}

function addCorsHeaders(response: Response, counted: CountedRequest | null): Response {
  for (const [name, value] of Object.entries({ ...CORS_HEADERS, ...counted?.headers })) {
    // A handler's own header takes precedence, because untrusted images must not be embedded elsewhere.
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  response.headers.append('Vary', 'Accept')
  return response
}

/** Returns the headers of GET without its body, and cancels a body that is still being produced. */
async function headOf(response: Response): Promise<Response> {
  const { status, headers } = response
  await response.body?.cancel()
  return new Response(null, { status, headers })
}

/** CORS headers of every public read: scripts of any site may read it, but never with credentials. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

const READ_METHODS = 'GET, HEAD, OPTIONS'

/** Response to a CORS preflight request. */
function preflightResponse(): Response {
  const headers = {
    ...CORS_HEADERS,
    Allow: READ_METHODS,
    'Access-Control-Allow-Methods': READ_METHODS,
    'Access-Control-Allow-Headers':
      'Accept, Cache-Control, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id',
    'Access-Control-Max-Age': '86400',
    'Cache-Control': 'no-store',
  }
  return new Response(null, { status: 204, headers })
}

type CatchAllHandler = (
  request: Request,
  context: { params: Promise<{ path?: string[] }> },
) => Promise<Response>

/** Creates a route for unknown paths: every method is refused with the same sentence. */
export function refuseUnknown(refusal: (path: string) => AppError) {
  const read: CatchAllHandler = (request, { params }) =>
    followRequest(request, async () => {
      const counted = countRead(request.headers, 'reads')
      return respondError(await unknownPathError(params, refusal), null, {
        ...CORS_HEADERS,
        ...counted?.headers,
      })
    })
  const write: CatchAllHandler = (request, { params }) =>
    followRequest(request, async () => respondError(await unknownPathError(params, refusal)))
  const preflight: CatchAllHandler = (request) =>
    followRequest(request, async () => preflightResponse())
  return {
    GET: read,
    HEAD: read,
    OPTIONS: preflight,
    POST: write,
    PUT: write,
    PATCH: write,
    DELETE: write,
  }
}

async function unknownPathError(
  params: Promise<{ path?: string[] }>,
  refusal: (path: string) => AppError,
): Promise<AppError> {
  const { path = [] } = (await params) ?? {}
  return refusal(`/${path.join('/')}`)
}

/**
 * Parses the place of a cursor; null = the beginning. Throws an AppError for a cursor that this server did not create.
 */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const place = parsePlace(cursor)
  if (place !== null) return place
  const message =
    'cursor: invalid cursor; use the value of "next", or leave it out to start from the beginning'
  throw new AppError('invalid-request', message)
}

/** Returns the URL of the page after a place, with all other parameters unchanged; null = there is none. */
export function nextPage({ url }: Request, last: Place | null): string | null {
  if (last === null) return null
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', formatPlace(last))
  return `${pathname}?${searchParams}`
}
