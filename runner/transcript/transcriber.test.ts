import { describe, expect, it } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { Transcript } from '#lib/domain/transcript/index.ts'
import { ask, giveFolders, play, say, turn } from './play.fixture.ts'

giveFolders()

const shape = ({ steps }: Transcript) =>
  steps.map(({ role, thread, mark, text, toolCalls, toolResult }) =>
    [role, thread, mark, text ?? toolCalls[0]?.name ?? toolResult?.text ?? null].join('|'),
  )

const CALL = { name: 'edit', input: { path: 'a.ts' } }

/** The second request of a conversation, as each protocol repeats the first and its response. */
const FIRST: Record<Protocol, unknown> = {
  anthropic: {
    system: [{ type: 'text', text: 'Be good' }],
    messages: [{ role: 'user', content: 'Do it' }],
  },
  'openai-chat': {
    messages: [
      { role: 'system', content: 'Be good' },
      { role: 'user', content: 'Do it' },
    ],
  },
  'openai-responses': {
    instructions: 'Be good',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it' }] }],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'Be good' }] },
    contents: [{ role: 'user', parts: [{ text: 'Do it' }] }],
  },
}
const SECOND: Record<Protocol, unknown> = {
  anthropic: {
    system: [{ type: 'text', text: 'Be good', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Do it' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_a10', name: 'edit', input: { path: 'a.ts' } }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_a10',
            content: [{ type: 'text', text: 'done' }],
          },
        ],
      },
    ],
  },
  'openai-chat': {
    messages: [
      { role: 'system', content: 'Be good' },
      { role: 'user', content: 'Do it' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_a10',
            type: 'function',
            function: { name: 'edit', arguments: '{ "path": "a.ts" }' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a10', content: 'done' },
    ],
  },
  'openai-responses': {
    instructions: 'Be good',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it' }] },
      { type: 'function_call', call_id: 'call_a10', name: 'edit', arguments: '{"path":"a.ts"}' },
      { type: 'function_call_output', call_id: 'call_a10', output: 'done' },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'Be good' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Do it' }] },
      {
        role: 'model',
        parts: [{ functionCall: { id: 'call-a10', name: 'edit', args: { path: 'a.ts' } } }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call-a10', name: 'edit', response: { output: 'done' } } },
        ],
      },
    ],
  },
}

describe('the transcript of every protocol', () => {
  const protocols = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
  it.each(
    protocols.flatMap((protocol) => [true, false].map((streams) => [protocol, streams] as const)),
  )('%s, streamed: %s, holds each message once', async (protocol, streams) => {
    const transcript = await play([
      { protocol, json: FIRST[protocol], answer: turn({ calls: [CALL] }), streams },
      {
        protocol,
        json: SECOND[protocol],
        answer: turn({ id: 'b2', reason: 'hm', say: 'Finished.' }),
        streams,
      },
    ])
    const result = protocol === 'gemini' ? '{"output":"done"}' : 'done'
    expect(shape(transcript)).toEqual([
      'system|1||Be good',
      'user|1||Do it',
      'assistant|1||edit',
      `tool|1||${result}`,
      'assistant|1||Finished.',
    ])
    const [, , request, , last] = transcript.steps
    expect(JSON.parse(request?.toolCalls[0]?.arguments ?? '')).toEqual({ path: 'a.ts' })
    expect(transcript.steps[3]?.toolResult?.callId).toBe(request?.toolCalls[0]?.id)
    expect(last).toMatchObject({
      model: 'm-1-2026',
      tokens: { input: 100, output: 20, cached: 50 },
      soFar: { input: 200, output: 40, cached: 100, costMicroUsd: 14 },
      call: 2,
    })
    if (protocol !== 'openai-chat') expect(last?.reasoning).toBe('hm')
    expect(transcript.end).toMatchObject({ steps: 5, threads: 1, redactions: 0 })
  })
})

describe('conversations', () => {
  it('tells a sub-agent, a rewritten conversation and a request sent again apart', async () => {
    const main: [string, string][] = [
      ['user', 'a'],
      ['assistant', 'b'],
      ['user', 'c'],
    ]
    const transcript = await play([
      { ...ask(['user', 'a']), answer: say('b') },
      { ...ask(['user', 'other']), answer: say('x') },
      { ...ask(...main), answer: '', record: { status: 529, source: 'upstream' } },
      { ...ask(...main), answer: say('d') },
      // Compacted: starts over with a summary, and keeps the end.
      {
        ...ask(['user', 'summary'], ['user', 'c'], ['assistant', 'd'], ['user', 'e']),
        answer: say('f'),
      },
    ])
    expect(shape(transcript)).toEqual([
      'user|1||a',
      'assistant|1||b',
      'user|2|begun|other',
      'assistant|2||x',
      'user|1||c',
      'assistant|1||',
      'assistant|1|asked-again|d',
      'user|1|rewritten|summary',
      'user|1||e',
      'assistant|1||f',
    ])
    expect(transcript.steps[5]?.trouble).toBe('status 529')
  })

  it('knows its own answer when the agent tells it a little differently, and keeps what it says twice', async () => {
    const transcript = await play([
      { ...ask(['user', 'go on']), answer: say('Yes. ') },
      {
        ...ask(['user', 'go on'], ['assistant', 'Yes, indeed.'], ['user', 'go on']),
        answer: say('z'),
      },
    ])
    expect(shape(transcript)).toEqual([
      'user|1||go on',
      'assistant|1||Yes. ',
      'user|1||go on',
      'assistant|1||z',
    ])
  })

  it('makes a branch where an earlier point is asked from again', async () => {
    const transcript = await play([
      { ...ask(['user', 'a']), answer: say('b') },
      { ...ask(['user', 'a'], ['assistant', 'b'], ['user', 'c']), answer: say('d') },
      { ...ask(['user', 'a']), answer: say('title') },
    ])
    expect(shape(transcript).at(-1)).toBe('assistant|2|branch|title')
  })

  it('follows a conversation that the provider keeps', async () => {
    const protocol = 'openai-responses' as const
    const transcript = await play([
      { protocol, json: { input: 'a' }, answer: turn({ id: 'r1', say: 'b' }) },
      { protocol, json: { input: 'c', previous_response_id: 'resp_r1' }, answer: say('d') },
    ])
    expect(shape(transcript)).toEqual([
      'user|1||a',
      'assistant|1||b',
      'user|1||c',
      'assistant|1||d',
    ])
  })
})
