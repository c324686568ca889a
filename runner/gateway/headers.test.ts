import { describe, expect, it } from 'vitest'
import { answerHeaders, requestHeaders, upstreamUrl } from './headers.ts'

describe('headers', () => {
  it('to the provider: no key of the agent, no hop-by-hop, the real key, the new length', () => {
    const request = {
      host: '127.0.0.1:1',
      authorization: 'Bearer dummy',
      'x-api-key': 'dummy',
      'x-goog-api-key': 'dummy',
      cookie: 'a=b',
      connection: 'keep-alive, X-Mine',
      'x-mine': '1',
      'transfer-encoding': 'chunked',
      'accept-encoding': 'br',
      'content-length': '5',
      'x-http-method-override': 'POST',
      'x-echo': 'my dummy here',
      'content-type': 'application/json',
      'anthropic-beta': 'x',
      'user-agent': 'cli/1',
    }
    expect(requestHeaders(request, { authorization: 'Bearer real' }, 7, ['dummy'])).toEqual({
      'content-type': 'application/json',
      'anthropic-beta': 'x',
      'user-agent': 'cli/1',
      'accept-encoding': 'identity',
      authorization: 'Bearer real',
      'content-length': 7,
    })
  })

  it('to the agent: what belongs to the answer, not to the connection or the host', () => {
    const told = {
      'content-type': 'text/event-stream',
      'content-encoding': 'gzip',
      'retry-after': '3',
      'request-id': 'r',
      connection: 'close, x-hop',
      'x-hop': '1',
      'transfer-encoding': 'chunked',
      'set-cookie': ['a=b'],
      'alt-svc': 'h3',
    }
    expect(answerHeaders(told)).toEqual({
      'content-type': 'text/event-stream',
      'content-encoding': 'gzip',
      'retry-after': '3',
      'request-id': 'r',
    })
  })

  it.each([
    [
      'https://api.example',
      '/v1/messages',
      'beta=true',
      'https://api.example/v1/messages?beta=true',
    ],
    [
      'https://router.example/api/',
      '/v1/x',
      'key=dummy&alt=sse',
      'https://router.example/api/v1/x?alt=sse',
    ],
    ['https://azure.example?api-version=1', '/x', '', 'https://azure.example/x?api-version=1'],
  ])('%s %s', (base, path, query, expected) => {
    expect(upstreamUrl({ baseUrl: base }, path, new URLSearchParams(query)).href).toBe(expected)
  })
})
