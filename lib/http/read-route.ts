import type { z } from 'zod'
import { databaseError } from '#lib/db/database-error.ts'
import { accepts } from '#lib/domain/api/accepts.ts'
import type { ReadEndpoint } from '#lib/domain/api/read-endpoint.ts'
import { AppError } from '#lib/errors.ts'
import { followRequest } from './follow-request.ts'
import { parseQuery } from './parse-query.ts'
import { type CountedTurn, takeReadTurn } from './rate-gate.ts'
import { answerPreflight, CORS_HEADERS, READ_METHODS } from './read-headers.ts'
import { respondJson } from './respond.ts'
import { respondError } from './respond-problem.ts'

type Handler<C> = (request: Request, context: C) => Promise<Response>

/** What a handler is given: parameters as the endpoint describes them, and the request for what is beside them. */
type Asked<E extends ReadEndpoint> = {
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
 * A read of the public API whole: counted, negotiated, parsed, one query, an answer of the shape that the endpoint
 * describes; whatever is thrown becomes a problem. A value is sent as JSON, a Response as it is.
 */
export function readRoute<E extends ReadEndpoint>(
  endpoint: E,
  answer: (asked: Asked<E>) => Promise<z.input<E['answer']['schema']> | Response>,
): ReadRoute<E> {
  const get: Handler<Context<E>> = (request, context) =>
    followRequest(request, async (requestId) => {
      const turn = takeReadTurn(request.headers, endpoint.pool, Date.now())
      try {
        passGates(request, endpoint, turn)
        // Next gives nothing at all to an address without parameters.
        const params = decodeParams((await context.params) ?? {})
        const query = parseQuery(request, endpoint.query) as Asked<E>['query']
        const value = await answer({ params, query, request })
        const response = value instanceof Response ? value : respondJson(request, value)
        return openToAll(linkNext(response, value), turn)
      } catch (error) {
        const retry = turn && !turn.isFree && { 'Retry-After': String(turn.retrySeconds) }
        return openToAll(respondError(databaseError(error), requestId, { ...retry }), turn)
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

const preflight = (request: Request) => followRequest(request, async () => answerPreflight())

/** 405 with what is allowed instead. No other site's script is told: it could not have asked. */
export function refuseMethod(method: string, allow: string): Response {
  const message = `${method} is not allowed here. Allowed methods: ${allow}.`
  return respondError(new AppError('method-not-allowed', message), null, { Allow: allow })
}

function passGates(
  request: Request,
  { types, pool }: ReadEndpoint,
  turn: CountedTurn | null,
): void {
  if (turn && !turn.isFree) {
    const message = `Too many ${pool} from your address. Retry in ${turn.retrySeconds} s. See the RateLimit headers for your remaining requests.`
    throw new AppError('too-many-requests', message)
  }
  if (accepts(request.headers.get('accept'), types)) return
  throw new AppError('not-acceptable', `This endpoint returns only ${types.join(', ')}.`)
}

/** A parameter may come percent-encoded, `sha256%3A…`. */
function decodeParams<P extends object>(params: P): P {
  const pairs = Object.entries(params).map(([name, value]) => [name, decode(String(value))])
  return Object.fromEntries(pairs)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The next page of a list, for readers that follow headers (RFC 8288). */
function linkNext(response: Response, value: unknown): Response {
  if (typeof value !== 'object' || value === null || !('next' in value)) return response
  if (typeof value.next === 'string') response.headers.set('Link', `<${value.next}>; rel="next"`)
  return response
}

function openToAll(response: Response, turn: CountedTurn | null): Response {
  for (const [name, value] of Object.entries({ ...CORS_HEADERS, ...turn?.headers })) {
    // What a handler says of itself holds: a picture that is a stranger's stays with us.
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  response.headers.append('Vary', 'Accept')
  return response
}

/** What GET would say, without its body; one that is still being made is given up. */
async function headOf(response: Response): Promise<Response> {
  const { status, headers } = response
  await response.body?.cancel()
  return new Response(null, { status, headers })
}
