import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerHeaders } from './forward/answer-headers.ts'
import { cleanError } from './forward/clean-error.ts'
import { relay } from './forward/relay.ts'
import { requestHeaders } from './forward/request-headers.ts'
import { JSON_TYPE, sendWhole } from './forward/send-whole.ts'
import { upstreamUrl } from './forward/upstream-url.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { Upstream } from './gateway-order.ts'
import type { Protocol } from './protocol.ts'
import { writeError } from './wire/write-error.ts'

/** Passes on a request that costs nothing (model lists, token counts, HEAD /), with the real key and unmetered. */
export async function passFree(
  context: GatewayContext,
  place: { upstream: Upstream; protocol: Protocol; path: string; query: URLSearchParams },
  request: IncomingMessage,
  body: Buffer,
  client: ServerResponse,
): Promise<void> {
  const { pool, dummyKey, secret, realKeys, order } = context
  context.counts.passedOn += 1
  const fail = (status: number, message: string) =>
    sendWhole(client, status, JSON_TYPE, writeError(place.protocol, status, message))
  if (order.replayer) return await fail(404, 'A replay has no provider to ask.')
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  const hasBody = body.length > 0
  try {
    const answer = await pool.call({
      url: upstreamUrl(place.upstream.baseUrl, place.path, place.query),
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
