import type { ServerResponse } from 'node:http'
import type { Answer } from '../forward/answer.ts'
import { requestHeaders } from '../forward/request-headers.ts'
import { upstreamUrl } from '../forward/upstream-url.ts'
import type { GatewayContext } from '../gateway-context.ts'
import type { Upstream } from '../gateway-order.ts'
import type { AskedTurn } from './asked-turn.ts'

export type FoundAnswer =
  | { kind: 'answer'; answer: Answer; source: 'upstream' | 'replay' }
  | { kind: 'replay-miss'; key: string }
  | { kind: 'unreachable'; reason: string }
  | { kind: 'client-gone' }

/** The head of an answer, from the recording if there is one, else from the provider. */
export async function findAnswer(
  context: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  sentText: string,
  client: ServerResponse,
): Promise<FoundAnswer> {
  const { replayer } = context.order
  if (replayer) {
    const { key, answer } = replayer.answer(asked.path, neutralText(context, asked.text))
    return answer ? { kind: 'answer', answer, source: 'replay' } : { kind: 'replay-miss', key }
  }
  const left = new AbortController()
  const onClose = () => left.abort()
  client.once('close', onClose)
  if (client.closed) left.abort()
  try {
    const answer = await context.pool.call({
      url: upstreamUrl(upstream.baseUrl, asked.path, asked.query),
      method: 'POST',
      ...request(context, upstream, asked, sentText),
      signal: left.signal,
    })
    return { kind: 'answer', answer, source: 'upstream' }
  } catch (error) {
    if (left.signal.aborted) return { kind: 'client-gone' }
    return { kind: 'unreachable', reason: (error as NodeJS.ErrnoException).code ?? 'no answer' }
  } finally {
    client.removeListener('close', onClose)
  }
}

/** An unchanged request goes out in the very bytes that came. */
function request(
  { dummyKey, secret }: GatewayContext,
  upstream: Upstream,
  asked: AskedTurn,
  sentText: string,
) {
  const body = sentText === asked.text ? asked.bytes : Buffer.from(sentText, 'utf8')
  const headers = requestHeaders(asked.headers, upstream.headers, body.length, [dummyKey, secret])
  return { body, headers }
}

/** The text without this gateway's own chance values: an agent that prints its environment repeats them to the model. */
export function neutralText({ secret, dummyKey }: GatewayContext, text: string): string {
  return text.replaceAll(secret, '<secret>').replaceAll(dummyKey, '<key>')
}
