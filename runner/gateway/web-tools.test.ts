import { describe, expect, it } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { withoutWeb } from './web-tools.ts'

function send(protocol: Protocol, body: object | string, model = 'm') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return withoutWeb({ protocol, text, json: JSON.parse(text), model })
}

const edit = { type: 'function', name: 'edit' }
const functions = { functionDeclarations: [{ name: 'google_web_search' }] }

describe('a request of an agent without a network', () => {
  it.each<[Protocol, object]>([
    ['openai-responses', { tools: [edit, { type: 'apply_patch' }, { type: 'local_shell' }] }],
    ['openai-responses', { tools: [{ type: 'namespace', name: 'web_search', tools: [edit] }] }],
    ['openai-responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['anthropic', { tools: [{ name: 'WebSearch' }, { type: 'tool_search_tool_regex_20251119' }] }],
    ['anthropic', { tools: [{ type: 'code_execution_20250825' }], mcp_servers: [] }],
    [
      'anthropic',
      { messages: [{ content: [{ type: 'tool_use', input: { type: 'url', url: 'https://a' } }] }] },
    ],
    ['openai-chat', { tools: [{ type: 'function', function: { name: 'web_search' } }] }],
    ['openai-chat', { search_parameters: { mode: 'off' }, web_search_options: null }],
    [
      'openai-chat',
      { messages: [{ content: [{ image_url: { url: 'data:image/png;base64,aa' } }] }] },
    ],
    ['gemini', { tools: [functions, { codeExecution: {} }] }],
  ])('goes out as it is: %s %j', (protocol, body) => {
    const text = ` ${JSON.stringify(body)}`
    expect(send(protocol, text)).toMatchObject({ ok: true, text, leftOut: [] })
  })

  it.each<[Protocol, object[], object[]]>([
    ['openai-responses', [edit, { type: 'web_search', external_web_access: true }], [edit]],
    [
      'openai-responses',
      [{ type: 'web_search_preview' }, edit, { type: 'mcp', server_url: 'https://a' }],
      [edit],
    ],
    [
      'openai-responses',
      [
        edit,
        {
          type: 'code_interpreter',
          container: { type: 'auto', network_policy: { type: 'allowlist' } },
        },
      ],
      [edit],
    ],
    ['anthropic', [edit, { type: 'web_fetch_20250910', name: 'web_fetch' }], [edit]],
    ['openai-chat', [edit, { type: 'openrouter:web_search' }, { type: 'browser_search' }], [edit]],
    [
      'openai-chat',
      [edit, { type: 'builtin_function', function: { name: '$web_search' } }],
      [edit],
    ],
    ['gemini', [functions, { googleSearch: {} }], [functions]],
    ['gemini', [{ ...functions, urlContext: {} }], [functions]],
  ])('loses the tools that reach the internet: %s %j', (protocol, tools, left) => {
    const sent = send(protocol, { model: 'm', tools, stream: true })
    expect(sent).toMatchObject({ ok: true, json: { model: 'm', tools: left, stream: true } })
    expect(sent.ok && JSON.parse(sent.text)).toEqual({ model: 'm', tools: left, stream: true })
  })

  it.each<[Protocol, object, string]>([
    [
      'anthropic',
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'web_search_20250305 alone',
    ],
    ['gemini', { tools: [{ googleSearch: {} }] }, 'googleSearch alone'],
    ['anthropic', { mcp_servers: [{ url: 'https://a' }] }, 'mcp_servers'],
    ['openai-chat', { plugins: [{ id: 'web' }] }, 'the plugin web'],
    ['openai-chat', { web_search_options: {} }, 'web_search_options'],
    ['openai-chat', { enable_search: true }, 'enable_search'],
    [
      'anthropic',
      { messages: [{ content: [{ source: { type: 'url', url: 'https://a' } }] }] },
      'an address',
    ],
    [
      'openai-responses',
      { input: [{ content: [{ type: 'input_file', file_url: 'https://a' }] }] },
      'an address',
    ],
    ['gemini', { contents: [{ parts: [{ fileData: { fileUri: 'https://a' } }] }] }, 'an address'],
  ])('is refused where there is nothing else: %s %j', (protocol, body, why) => {
    expect(send(protocol, body)).toMatchObject({ ok: false, reason: expect.stringContaining(why) })
  })

  it('says what was left out', () => {
    const tools = [edit, { type: 'web_search' }, { type: 'x', function: { name: '$web_search' } }]
    expect(send('openai-chat', { tools })).toMatchObject({ leftOut: ['web_search', '$web_search'] })
    const gemini = { tools: [{ ...functions, urlContext: {}, googleSearch: {} }] }
    expect(send('gemini', gemini)).toMatchObject({ leftOut: ['urlContext', 'googleSearch'] })
  })

  it('may not ask for a model that searches', () => {
    expect(send('openai-chat', {}, 'acme/large:online').ok).toBe(false)
  })
})
