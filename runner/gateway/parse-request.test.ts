import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { reserveTokens } from './admission.ts'
import { parseRequest } from './parse-request.ts'
import { pinRequest } from './pins.ts'
import { withoutWeb } from './web-tools.ts'

/** Returns the request that a provider gets under a pinned temperature of 0. */
function send(protocol: Protocol, body: object | string) {
  const parsed = parseRequest(protocol, typeof body === 'string' ? body : JSON.stringify(body))
  if (!parsed.ok) return null
  const pinned = pinRequest(protocol, parsed.text, parsed.json, 0)
  return pinned.ok ? JSON.parse(pinned.text) : null
}

describe('a pinned temperature', () => {
  it.each<[Protocol, object]>([
    ['openai-chat', { temperature: 0.9, enable_thinking: true }],
    ['openai-chat', { temperature: 0.9, enable_thinking: 'true' }],
    ['openai-chat', { temperature: 0.9, reasoning_effort: 'high' }],
    ['openai-chat', { temperature: 0.9, reasoning: {} }],
    ['openai-chat', { temperature: 0.9, reasoning: { effort: 'low' } }],
    ['openai-chat', { temperature: 0.9, thinking: { type: 'enabled' } }],
    ['openai-responses', { temperature: 0.9, reasoning: {} }],
    ['openai-responses', { temperature: 0.9, reasoning: { effort: 'medium' } }],
    ['openai-responses', { reasoning: {} }],
    ['openai-chat', { temperature: '0.9' }],
    ['openai-chat', { Temperature: 0.9 }],
    ['openai-chat', { temperature: 0.2, TEMPERATURE: 0.9 }],
    ['openai-chat', { extra_body: { temperature: 0.9 } }],
    ['openai-chat', { temperature: 0.2, extra_body: { extraBody: { temperature: '0.9' } } }],
    ['openai-chat', { options: { temperature: 0.9 } }],
    ['anthropic', { temperature: 0.9, thinking: { type: 'disabled' } }],
    ['gemini', { generationConfig: { temperature: 0.9 } }],
    ['gemini', { generation_config: { temperature: 0.9 } }],
    ['gemini', { generationConfig: { temperature: 0.1 }, generation_config: { temperature: 0.9 } }],
    ['gemini', { temperature: 0.9, contents: [] }],
    ['gemini', { generation_config: { topP: 1 }, generationConfig: { temperature: 0.9 } }],
  ])('is what goes out: %s %j', (protocol, body) => {
    const sent = send(protocol, body)
    const { generationConfig, ...rest } = sent
    expect(protocol === 'gemini' ? generationConfig.temperature : sent.temperature).toBe(0)
    expect(JSON.stringify(rest)).not.toMatch(/0\.9|generation_config|emperature":[^0]/)
  })

  it.each([
    { temperature: 0.9, thinking: { type: 'enabled', budget_tokens: 1024 } },
    { temperature: 0.9, extra_body: { thinking: { type: 'adaptive' } } },
  ])('leaves none of the agent’s own beside the thinking of Anthropic: %j', (body) => {
    expect(send('anthropic', body)).not.toHaveProperty('temperature')
  })

  it.each([
    '{"temperature":0.9,"temperature":0}',
    '{"model":"a","model":"b"}',
    '{"temperature":0,"temperatur\\u0065":0.9}',
    '{"tools":[],"stream":true,"tools":[{"type":"web_search"}]}',
    '{"extra_body":{"a":1,"a":2}}',
    '{"temperature":[0.9]}',
    '{"temperature":"warm"}',
    '{"tools":"[]"}',
    '{"tools":[[{"type":"web_search"}]]}',
    '{"stream":"perhaps"}',
    '[{}]',
    '{"a":1}{"a":2}',
  ])('is not left to chance: %s is refused', (text) => {
    expect(parseRequest('openai-chat', text)).toMatchObject({ ok: false })
  })
})

describe('one reading of a request', () => {
  it('merges both spellings of Gemini’s settings, and keeps the rest', () => {
    const body = {
      contents: [{ parts: [{ text: 'max_output_tokens' }] }],
      generationConfig: { topP: 0.9 },
      generation_config: { max_output_tokens: '7', stop_sequences: ['x'] },
    }
    const parsed = parseRequest('gemini', JSON.stringify(body))
    expect(parsed).toMatchObject({
      ok: true,
      json: {
        contents: body.contents,
        generationConfig: { topP: 0.9, maxOutputTokens: 7, stop_sequences: ['x'] },
      },
    })
    if (!parsed.ok) throw new Error(parsed.reason)
    const reserved = reserveTokens('gemini', { ...parsed, bytes: Buffer.from(parsed.text) })
    expect(reserved.output).toBe(7)
  })

  it.each<[Protocol, object]>([
    ['openai-responses', { tools: { type: 'web_search' } }],
    ['openai-chat', { tools: { 0: { type: 'web_search' } } }],
    ['openai-chat', { extra_body: { tools: [{ type: 'web_search' }] } }],
    ['openai-chat', { extra_body: { plugins: { id: 'web' } } }],
    ['openai-chat', { extra_body: { web_search_options: {} } }],
    ['openai-chat', { enable_search: 'true' }],
    ['openai-chat', { models: ['acme/large:online'] }],
    ['openai-chat', { Tools: [{ type: 'browser_search' }] }],
    ['openai-responses', { tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] }],
    [
      'openai-responses',
      { input: [{ type: 'tool_search_output', tools: [{ type: 'web_search' }] }] },
    ],
    ['anthropic', { tools: { type: 'web_search_20250305', name: 'web_search' } }],
    ['anthropic', { mcp_servers: { url: 'https://example.org' } }],
    ['gemini', { tools: { google_search: {} } }],
    ['openai-chat', { messages: [{ content: [{ video_url: { url: 'https://a' } }] }] }],
  ])('shows every way to the internet: %s %j', (protocol, body) => {
    const parsed = parseRequest(protocol, JSON.stringify({ model: 'm', ...body }))
    if (!parsed.ok) throw new Error(parsed.reason)
    expect(withoutWeb({ protocol, model: 'm', ...parsed }).ok).toBe(false)
  })

  it('returns the very text of a request that has one reading', () => {
    const bodies = {
      'openai-chat': '{ "model":"m", "messages":[{"content":"a:\\"b\\\\\\":c"}],"stream":true }',
      'openai-responses': '{"model":"m","input":[],"reasoning":{"effort":"low"},"tools":[]}',
      anthropic: '{"max_tokens":8,"system":[],"tools":[{"input_schema":{"Temperature":1}}]}',
      gemini: '{"generationConfig":{"temperature":1,"stopSequences":[]},"contents":[]}',
    }
    for (const protocol of PROTOCOLS)
      expect(parseRequest(protocol, bodies[protocol])).toMatchObject({
        ok: true,
        text: bodies[protocol],
      })
  })

  it('counts the members of any JSON, so that only a doubled one is refused', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify({ messages: value })
        expect(parseRequest('openai-chat', text)).toMatchObject({ ok: true, text })
      }),
    )
  })
})
