import { expect, it } from 'vitest'
import type { Protocol } from '#lib/domain/runs/index.ts'
import type { TranscriptStep } from '#lib/domain/transcript/index.ts'
import { giveFolders, play, say } from './play.fixture.ts'

giveFolders()

const sse = (...events: unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const QUESTION = {
  anthropic: { messages: [{ role: 'user', content: 'q' }] },
  'openai-chat': { messages: [{ role: 'user', content: 'q' }] },
  'openai-responses': { input: 'q' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'q' }] }] },
}

async function answerOf(protocol: Protocol, answer: string): Promise<Partial<TranscriptStep>> {
  const { steps } = await play([{ protocol, json: QUESTION[protocol], answer }])
  const { text, reasoning, toolCalls } = steps.at(-1) as TranscriptStep
  return { text, reasoning, toolCalls }
}

const BLOCKS = [
  { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
  { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ url: 'https://a.example' }] },
  { type: 'text', text: 'Found' },
]

it.each([
  ['whole', JSON.stringify({ content: BLOCKS })],
  ['streamed', sse(...BLOCKS.map((block, index) => ({ ...begun(index), content_block: block })))],
])('names a block of Anthropic that it does not know, %s', async (_, answer) => {
  expect(await answerOf('anthropic', answer)).toEqual({
    text: '[web_search_tool_result: not text]\nFound',
    reasoning: null,
    toolCalls: [{ id: 's1', name: 'web_search', arguments: '{"query":"x"}' }],
  })
})

function begun(index: number) {
  return { type: 'content_block_start', index }
}

it('shows code that Gemini ran itself, and names images', async () => {
  const parts = [
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    { thoughtSignature: 'x' },
  ]
  const answer = sse({ candidates: [{ content: { role: 'model', parts } }] })
  expect(await answerOf('gemini', answer)).toEqual({
    text: '1\n[inlineData: not text]',
    reasoning: null,
    toolCalls: [
      { id: null, name: 'executableCode', arguments: '{"language":"PYTHON","code":"print(1)"}' },
    ],
  })
})

const chunk = (...calls: unknown[]) => ({ choices: [{ delta: { tool_calls: calls } }] })
const f = { name: 'f', arguments: '{"x":' }
const g = { name: 'g', arguments: '{"y":2}' }

it.each([
  [
    'without a place',
    [
      chunk({ id: 'a', function: f }),
      chunk({ id: 'a', function: { arguments: '1}' } }),
      chunk({ id: 'b', function: g }),
    ],
  ],
  [
    'all at the first place',
    [
      chunk({ index: 0, id: 'a', function: f }),
      chunk({ index: 0, function: { arguments: '1}' } }),
      chunk({ index: 0, id: 'b', function: g }),
    ],
  ],
  [
    'with a new id for every piece',
    [
      chunk({ index: 0, id: 'a', function: f }),
      chunk({ index: 0, id: 'z', function: { arguments: '1}' } }),
      chunk({ index: 1, id: 'b', function: g }),
    ],
  ],
])('keeps two calls of a chat apart that come %s', async (_, events) => {
  expect((await answerOf('openai-chat', sse(...events))).toolCalls).toEqual([
    { id: 'a', name: 'f', arguments: '{"x":1}' },
    { id: 'b', name: 'g', arguments: '{"y":2}' },
  ])
})

it.each([
  ['numbered', (place: number) => ({ output_index: place })],
  ['known by their ids', (place: number) => ({ item_id: `i${place}` })],
])('has what came of an answer that broke off, its items %s', async (_, at) => {
  const item = (place: number, more: object) => ({
    ...at(place),
    item: { id: `i${place}`, ...more },
  })
  const thoughts = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I think' }] }
  const answer = sse(
    { type: 'response.output_item.added', ...item(0, { type: 'reasoning' }) },
    { type: 'response.reasoning_summary_text.delta', ...at(0), delta: 'I think' },
    { type: 'response.output_item.done', ...item(0, thoughts) },
    { type: 'response.output_item.added', ...item(1, { type: 'message', role: 'assistant' }) },
    { type: 'response.output_text.delta', ...at(1), delta: 'Now' },
    { type: 'response.output_text.delta', ...at(1), delta: ' this' },
    {
      type: 'response.output_item.added',
      ...item(2, { type: 'function_call', name: 'shell', call_id: 'c', arguments: '' }),
    },
    { type: 'response.function_call_arguments.delta', ...at(2), delta: '{"cmd":"l' },
  )
  expect(await answerOf('openai-responses', answer)).toEqual({
    text: 'Now this',
    reasoning: 'I think',
    toolCalls: [{ id: 'c', name: 'shell', arguments: '{"cmd":"l' }],
  })
})

it('stores no image that is a part of a tool result', async () => {
  const image = 'A'.repeat(100)
  const url = `data:image/png;base64,${image}`
  const output = [
    { type: 'input_text', text: 'see' },
    { type: 'input_image', image_url: url },
  ]
  const responses = { input: [{ type: 'function_call_output', call_id: 'c', output }] }
  const functionResponse = {
    name: 'c',
    response: { output: 'see' },
    parts: [{ inlineData: { data: image } }],
  }
  const gemini = { contents: [{ role: 'user', parts: [{ functionResponse }] }] }
  const { steps } = await play([
    { protocol: 'openai-responses', json: responses, answer: say('a') },
    { protocol: 'gemini', json: gemini, answer: say('b') },
  ])
  expect(steps.flatMap(({ toolResult }) => toolResult?.text ?? [])).toEqual([
    'see\n[input_image: not text]',
    '{"output":"see"}\n[inlineData: not text]',
  ])
})
