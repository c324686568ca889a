import { describe, expect, it } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import { findImplausible } from './plausible-usage.ts'
import { readTokenCounts } from './tokens.ts'

type ResponseFacts = Parameters<typeof findImplausible>[2]

function check(
  usage: Record<string, unknown>,
  {
    body = {},
    protocol = 'openai-chat',
    ...result
  }: Partial<ResponseFacts> & { body?: object; protocol?: Protocol } = {},
) {
  const json = { messages: [{ role: 'user', content: 'do '.repeat(1000) }], ...body }
  const text = JSON.stringify(json)
  const request = { protocol, json, text, bytes: Buffer.from(text) }
  const heard = {
    rawUsage: usage,
    isUsageFinal: true,
    readable: true,
    plainBytes: 900,
    written: 600,
  }
  return findImplausible(request, readTokenCounts(protocol, usage), { ...heard, ...result })
}

const usual = { prompt_tokens: 1100, completion_tokens: 150 }
const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,aaaa' } }

describe('usage that can be', () => {
  it.each<[string, object, Parameters<typeof check>[1]?]>([
    ['of text', {}],
    [
      'with reasoning that is not shown',
      { completion_tokens: 9000, completion_tokens_details: { reasoning_tokens: 8900 } },
    ],
    ['with reasoning beside the completion', { total_tokens: 20_000 }],
    ['with a picture', { prompt_tokens: 9000 }, { body: { messages: [{ content: [picture] }] } }],
    [
      'with a conversation that the provider keeps',
      { prompt_tokens: 90_000 },
      { body: { previous_response_id: 'resp_1' } },
    ],
    [
      'with tools that the provider defines',
      { prompt_tokens: 5900 },
      { body: { tools: [{ type: 'bash_20250124' }] } },
    ],
    ['of an answer that broke off', { completion_tokens: 0 }, { isUsageFinal: false }],
    ['of an answer that could not be read', { completion_tokens: 9000 }, { readable: false }],
  ])('%s', (_what, usage, more) => {
    expect(check({ ...usual, ...usage }, more)).toBeNull()
  })
})

describe('usage that cannot be', () => {
  it.each<[object, string, Parameters<typeof check>[1]?]>([
    [{ prompt_tokens: 61_000 }, 'more input tokens than the request has bytes'],
    [{ prompt_tokens: 0 }, 'fewer input tokens than its text can have'],
    [{ prompt_tokens: 40 }, 'fewer input tokens than its text can have'],
    [{ completion_tokens: 5000 }, 'more output tokens than the answer has bytes'],
    [{ completion_tokens: 0 }, 'fewer output tokens than its text can have'],
    [{ completion_tokens: 5 }, 'fewer output tokens than its text can have'],
  ])('%j: %s', (usage, why, more) => {
    expect(check({ ...usual, ...usage }, more)).toBe(why)
  })

  it('is found in every protocol', () => {
    const many = 90_000
    expect(check({ input_tokens: many, output_tokens: 150 }, { protocol: 'anthropic' })).toMatch(
      /^more input/,
    )
    expect(
      check({ input_tokens: many, output_tokens: 150 }, { protocol: 'openai-responses' }),
    ).toMatch(/^more input/)
    const gemini = { promptTokenCount: many, candidatesTokenCount: 150 }
    expect(check(gemini, { protocol: 'gemini' })).toMatch(/^more input/)
  })
})
