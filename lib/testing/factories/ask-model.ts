import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'

export const CALLS: Record<Protocol, (stream: boolean) => { path: string; body: object }> = {
  anthropic: (stream) => ({
    path: '/v1/messages?beta=true',
    body: { model: 'm-1', max_tokens: 32000, stream, messages: hello(), tools: [{ name: 'edit' }] },
  }),
  'openai-responses': (stream) => ({
    path: '/v1/responses',
    body: {
      model: 'm-1',
      stream,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
      tools: [{ type: 'function', name: 'edit' }],
    },
  }),
  'openai-chat': (stream) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'm-1',
      stream,
      messages: hello(),
      tools: [{ type: 'function', function: { name: 'edit' } }],
    },
  }),
  gemini: (stream) => ({
    path: `/v1beta/models/m-1:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'hello' }] }],
      tools: [{ functionDeclarations: [{ name: 'edit' }] }],
    },
  }),
}

/** Every protocol, streamed and not. */
export const WAYS = PROTOCOLS.flatMap((protocol) =>
  [true, false].map((stream) => ({ protocol, stream })),
)

/** Requests one turn as an agent would, with the dummy key. */
export function askModel(
  gateway: { url: (protocol: Protocol) => string; dummyKey: string },
  protocol: Protocol,
  stream: boolean,
  options: { body?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { path, body } = CALLS[protocol](stream)
  return fetch(`${gateway.url(protocol)}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-api-key': gateway.dummyKey,
      authorization: `Bearer ${gateway.dummyKey}`,
      'x-goog-api-key': gateway.dummyKey,
    },
    body: options.body ?? JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

function hello(): object[] {
  return [{ role: 'user', content: 'hello' }]
}
