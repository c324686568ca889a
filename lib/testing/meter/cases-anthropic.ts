import { type MeterCase, NOTHING_KNOWN, type Truth } from './case.ts'

/** In millionths of a dollar a token: 3 in, 15 out, 0.30 cache reads, 3.75 and 6 cache writes; a search costs 10,000. */
const SONNET = { protocol: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-6' } as const
/** Twice as dear above 200,000 tokens of input. */
const LONG = { ...SONNET, model: 'claude-sonnet-4-5' } as const

function body(usage: object, model: string = SONNET.model) {
  const content = [{ type: 'text', text: 'Done.' }]
  const answer = { id: 'msg_1', type: 'message', role: 'assistant', model, content }
  return { body: { ...answer, stop_reason: 'end_turn', usage } }
}

const start = (usage: object) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: SONNET.model, usage },
})
const TEXT = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
  { type: 'content_block_stop', index: 0 },
]
const delta = (usage: object) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage,
})
const STOP = { type: 'message_stop' }

function stream(first: object, last: object) {
  return { events: [start(first), ...TEXT, delta(last), STOP] }
}

const table = (input: number, output: number, cost: number, more: Partial<Truth> = {}): Truth => ({
  input,
  output,
  cost,
  source: 'price-table',
  ...more,
})
const unpriced = (more: Partial<Truth> = {}): Truth => ({
  input: 1000,
  output: 100,
  cost: null,
  source: 'unknown',
  ...more,
})
const PLAIN = { input_tokens: 1000, output_tokens: 100 }
const cached = (five: number, hour: number) => ({
  input_tokens: 100,
  cache_read_input_tokens: 5000,
  cache_creation_input_tokens: five + hour,
  cache_creation: { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour },
  output_tokens: 50,
})
const CACHED = { cacheRead: 5000, cacheWrite: 2000 }
const { cache_creation_input_tokens: _, ...WITHOUT_SUM } = cached(500, 1500)

export const ANTHROPIC_CASES: readonly MeterCase[] = [
  { ...SONNET, name: 'messages, whole', answer: body(PLAIN), truth: table(1000, 100, 4500) },
  {
    ...SONNET,
    name: 'messages, streamed: the running total replaces the first count',
    answer: stream({ input_tokens: 1000, output_tokens: 1 }, { output_tokens: 200 }),
    truth: table(1000, 200, 6000),
  },
  {
    ...SONNET,
    name: 'messages: two totals in one stream are not added up',
    answer: { events: [start(PLAIN), ...TEXT, delta(PLAIN), delta({ output_tokens: 140 }), STOP] },
    truth: table(1000, 140, 5100),
  },
  {
    ...SONNET,
    name: 'cache writes of 5 minutes, streamed',
    answer: stream({ ...cached(2000, 0), output_tokens: 1 }, { output_tokens: 50 }),
    truth: table(7100, 50, 300 + 1500 + 7500 + 750, CACHED),
  },
  {
    ...SONNET,
    name: 'cache writes of 1 hour, whole',
    answer: body(cached(0, 2000)),
    truth: table(7100, 50, 300 + 1500 + 12_000 + 750, CACHED),
  },
  {
    ...SONNET,
    name: 'cache writes of both kinds, streamed',
    answer: stream({ ...cached(500, 1500), output_tokens: 1 }, { output_tokens: 50 }),
    truth: table(7100, 50, 300 + 1500 + 1875 + 9000 + 750, CACHED),
  },
  {
    ...SONNET,
    name: 'cache writes by their kinds alone, without the sum',
    answer: body(WITHOUT_SUM),
    truth: table(7100, 50, 300 + 1500 + 1875 + 9000 + 750, CACHED),
  },
  {
    ...SONNET,
    name: 'ten web searches, whole',
    answer: body({ ...PLAIN, server_tool_use: { web_search_requests: 10 } }),
    truth: table(1000, 100, 104_500),
  },
  {
    ...SONNET,
    name: 'web searches, streamed: their results are read as input until the end',
    answer: stream(
      { input_tokens: 500, output_tokens: 1 },
      { input_tokens: 3000, output_tokens: 100, server_tool_use: { web_search_requests: 3 } },
    ),
    truth: table(3000, 100, 10_500 + 30_000),
  },
  {
    ...SONNET,
    name: 'a page that is fetched costs its tokens alone',
    answer: body({ ...PLAIN, server_tool_use: { web_search_requests: 0, web_fetch_requests: 2 } }),
    truth: table(1000, 100, 4500),
  },
  {
    ...SONNET,
    name: 'code execution has no price',
    answer: body({ ...PLAIN, server_tool_use: { code_execution_requests: 1 } }),
    truth: unpriced(),
  },
  {
    ...SONNET,
    name: 'tier standard',
    answer: body({ ...PLAIN, service_tier: 'standard', inference_geo: 'global' }),
    truth: table(1000, 100, 4500),
  },
  {
    ...SONNET,
    name: 'tier batch is half the price',
    answer: body({ ...PLAIN, service_tier: 'batch' }),
    truth: table(1000, 100, 2250),
  },
  {
    ...SONNET,
    name: 'tier priority has no known price',
    answer: stream({ ...PLAIN, service_tier: 'priority' }, { output_tokens: 100 }),
    truth: unpriced(),
  },
  {
    ...SONNET,
    name: 'fast mode has no known price',
    answer: body({ ...PLAIN, speed: 'fast' }),
    truth: unpriced(),
  },
  {
    ...SONNET,
    name: 'answered in the US alone: a tenth more',
    answer: body({ ...PLAIN, inference_geo: 'us' }),
    truth: table(1000, 100, 4950),
  },
  {
    ...SONNET,
    name: 'a compaction is charged beside the answer',
    answer: body({
      ...PLAIN,
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
        { type: 'message', ...PLAIN },
      ],
    }),
    truth: table(181_000, 3600, 181_000 * 3 + 3600 * 15),
  },
  {
    ...LONG,
    name: 'the step of long prompts',
    answer: body({ input_tokens: 250_000, output_tokens: 1000 }, LONG.model),
    truth: table(250_000, 1000, 250_000 * 6 + 1000 * 22.5),
  },
  {
    ...LONG,
    name: 'cached tokens count towards the step of long prompts',
    answer: body(
      { input_tokens: 1000, cache_read_input_tokens: 219_000, output_tokens: 1000 },
      LONG.model,
    ),
    truth: table(220_000, 1000, 6000 + 131_400 + 22_500, { cacheRead: 219_000 }),
  },
  {
    ...SONNET,
    name: 'the agent leaves in the middle: one token was stated, more were written',
    answer: { events: [start({ input_tokens: 1000, output_tokens: 1 }), ...TEXT.slice(0, 2)] },
    ending: 'leave',
    truth: unpriced({ output: null, atLeast: { input: 1000, output: 1, cost: 3015 } }),
  },
  {
    ...SONNET,
    name: 'the provider breaks off in the middle',
    answer: { events: [start({ input_tokens: 1000, output_tokens: 1 }), ...TEXT.slice(0, 2)] },
    ending: 'cut',
    truth: unpriced({ output: null, atLeast: { input: 1000, output: 1, cost: 3015 } }),
  },
  {
    ...SONNET,
    name: 'an error event in the middle of a stream',
    answer: {
      events: [
        start({ input_tokens: 1000, output_tokens: 1 }),
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ],
    },
    truth: unpriced({ output: null, atLeast: { input: 1000, output: 1, cost: 3015 } }),
  },
  {
    ...SONNET,
    name: 'the connection ends before any answer: it may have been worked on',
    answer: body(PLAIN),
    ending: 'hang-up',
    truth: NOTHING_KNOWN,
  },
  {
    ...SONNET,
    name: 'nobody listens there: nothing is billed',
    answer: body(PLAIN),
    ending: 'refuses',
    truth: { input: 0, output: 0, cost: 0, source: 'nothing billed' },
  },
  {
    ...SONNET,
    name: 'a refused request: nothing is billed',
    status: 429,
    answer: { body: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } } },
    truth: { input: 0, output: 0, cost: 0, source: 'nothing billed' },
  },
]
