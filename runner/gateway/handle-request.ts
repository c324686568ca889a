import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { answerTurn } from './answer-turn.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { Upstream } from './gateway-options.ts'
import { answerHeaders, requestHeaders, upstreamUrl } from './headers.ts'
import { errorBody, JSON_TYPE, readClientBody, sendWhole } from './http.ts'
import { cleanError, relay } from './relay.ts'
import { readAskedTurn, routeRequest } from './route-request.ts'

const MOST_BODY_BYTES = 64 << 20

type Place = { upstream: Upstream; protocol: Protocol; path: string; query: URLSearchParams }

/** One request: unknown callers are refused, the rest goes to the meter or straight through. */
export async function handleRequest(
  context: GatewayContext,
  request: IncomingMessage,
  client: ServerResponse,
): Promise<void> {
  const place = findPlace(context, request.url ?? '/')
  if (!place) {
    context.counts.unauthorized += 1
    return await sendWhole(client, 404, JSON_TYPE, '{"error":{"message":"Not found."}}')
  }
  const refuse = (status: number, message: string) => {
    context.counts.refused += 1
    // What is left of the request is not read, so the connection cannot be used again.
    const headers = { ...JSON_TYPE, connection: 'close' }
    return sendWhole(client, status, headers, errorBody(place.protocol, status, message))
  }
  const route = routeRequest(request.method ?? 'GET', place.path)
  if (route.kind === 'refused')
    return await refuse(403, 'The gateway does not pass this request on: it cannot be metered.')
  if (isEncoded(request)) return await refuse(415, 'Send the request body without an encoding.')
  const bytes = await bodyOf(context, request)
  if (bytes === 'gone') return
  if (bytes === null) return await refuse(413, 'The request body is larger than 64 MB.')
  if (route.kind === 'free') return await forwardUnmetered(context, place, request, bytes, client)
  const asked = readAskedTurn(route, { ...place, headers: request.headers }, bytes)
  if (!asked) return await refuse(400, 'The request body is not a JSON object.')
  await answerTurn(context, place.upstream, asked, client)
}

function isEncoded({ headers }: IncomingMessage): boolean {
  return !['', 'identity'].includes(headers['content-encoding'] ?? '')
}

async function bodyOf(
  { counts }: GatewayContext,
  request: IncomingMessage,
): Promise<Buffer | null | 'gone'> {
  try {
    return await readClientBody(request, MOST_BODY_BYTES)
  } catch {
    counts.abandoned += 1
    return 'gone'
  }
}

/** `/<secret>/<protocol>/<path of the provider>`; null without the secret. */
function findPlace({ secret, options }: GatewayContext, target: string): Place | null {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const [, given = '', name = '', ...rest] = path.split('/')
  if (!isSame(given, secret)) return null
  const protocol = PROTOCOLS.find((one) => one === name)
  const upstream = protocol && options.upstreams[protocol]
  if (!protocol || !upstream || rest.some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return null
  return { upstream, protocol, path: `/${rest.join('/')}`, query: new URLSearchParams(query) }
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Passes on a request that costs nothing (model lists, token counts, HEAD /), with the real key and unmetered. */
async function forwardUnmetered(
  context: GatewayContext,
  place: { upstream: Upstream; protocol: Protocol; path: string; query: URLSearchParams },
  request: IncomingMessage,
  body: Buffer,
  client: ServerResponse,
): Promise<void> {
  const { pool, dummyKey, secret, realKeys, options } = context
  context.counts.passedOn += 1
  const fail = (status: number, message: string) =>
    sendWhole(client, status, JSON_TYPE, errorBody(place.protocol, status, message))
  if (options.replayer) return await fail(404, 'A replay has no provider to ask.')
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  const hasBody = body.length > 0
  try {
    const answer = await pool.call({
      url: upstreamUrl(place.upstream, place.path, place.query),
      method: request.method ?? 'GET',
      headers: requestHeaders(
        request.headers,
        place.upstream.headers,
        hasBody ? body.length : null,
        [dummyKey, secret],
      ),
      body: hasBody ? body : null,
      signal: left.signal,
    })
    client.writeHead(answer.status, answerHeaders(answer.headers))
    const clean = answer.status >= 400 ? cleanError(answer, realKeys) : answer
    await relay(clean, client, () => undefined, null)
  } catch (error) {
    if (left.signal.aborted) return
    await fail(502, `The provider could not be reached (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    client.removeListener('close', onClose)
  }
}
