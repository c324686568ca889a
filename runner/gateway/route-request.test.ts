import { describe, expect, it } from 'vitest'
import { plainPath, readAskedTurn, routeRequest } from './route-request.ts'

it.each([
  ['POST', '/v1/messages', { kind: 'turn', protocol: 'anthropic' }],
  ['POST', '/v1/messages/count_tokens', { kind: 'free' }],
  ['POST', '/v1/responses', { kind: 'turn', protocol: 'openai-responses', streams: null }],
  ['POST', '/v1/responses/compact', { kind: 'turn', protocol: 'openai-responses' }],
  ['POST', '/api/v1/chat/completions', { kind: 'turn', protocol: 'openai-chat' }],
  ['POST', '/chat/completions', { kind: 'turn', protocol: 'openai-chat' }],
  [
    'POST',
    '/v1beta/models/gemini-3:generateContent',
    { kind: 'turn', model: 'gemini-3', streams: false },
  ],
  [
    'POST',
    '/v1beta/models/gemini-3:streamGenerateContent',
    { kind: 'turn', protocol: 'gemini', streams: true },
  ],
  [
    'POST',
    '/v1/projects/p/locations/l/publishers/google/models/g:generateContent',
    { kind: 'turn', model: 'g' },
  ],
  ['POST', '/v1beta/models/gemini-3:countTokens', { kind: 'free' }],
  ['GET', '/v1/models', { kind: 'free' }],
  ['GET', '/api/v1/models/acme/large', { kind: 'free' }],
  ['GET', '/v1/files', { kind: 'refused' }],
  ['GET', '/v1/files/file-1/content', { kind: 'refused' }],
  ['GET', '/v1/responses/resp_1', { kind: 'refused' }],
  ['HEAD', '/v1/responses/resp_1', { kind: 'refused' }],
  ['HEAD', '/', { kind: 'free' }],
  ['POST', '/v1/completions', { kind: 'refused' }],
  ['POST', '/v1/files', { kind: 'refused' }],
  ['POST', '/v1beta/models/x:batchGenerateContent', { kind: 'refused' }],
  ['DELETE', '/v1/files/1', { kind: 'refused' }],
])('%s %s', (method, path, route) => {
  expect(routeRequest(method, path)).toMatchObject(route)
})

it.each([
  ['/v1/models/acme/large', '/v1/models/acme/large'],
  ['/v1/models/acme%2Flarge', '/v1/models/acme%2Flarge'],
  ['/v1/models/a..b', '/v1/models/a..b'],
  ['/v1\\files', '/v1/files'],
  ['/v1/models/..\\files', null],
  ['/v1/models/%2e%2E/files', null],
  ['/v1/models/x%2f..%2F..%2ffiles', null],
  ['/v1/models/..%5Cfiles', null],
  ['/v1/models/..;/files', null],
  ['/v1/./models', null],
])('looks at the path that goes out: %s', (requested, plain) => {
  expect(plainPath(requested)).toBe(plain)
})

describe('a request', () => {
  const read = (text: string) =>
    readAskedTurn(
      { kind: 'turn', protocol: 'openai-chat', model: null, streams: null },
      { path: '/', query: new URLSearchParams(), headers: {} },
      Buffer.from(text),
    )
  const nested = (depth: number) => `{"messages":${'['.repeat(depth)}${']'.repeat(depth)}}`

  it('is not read where it is nested so deep that reading could end the gateway', () => {
    expect(read(nested(499)).ok).toBe(true)
    expect(read(nested(500)).ok).toBe(false)
    expect(read(nested(200_000)).ok).toBe(false)
  })

  it('may hold any number of brackets in texts', () => {
    const content = `${'['.repeat(900)}\\"${'{'.repeat(900)}`
    expect(read(JSON.stringify({ messages: [{ content }] })).ok).toBe(true)
  })
})
