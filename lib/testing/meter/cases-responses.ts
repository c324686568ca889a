import { type MeterCase, NOTHING_KNOWN, type Truth } from './case.ts'

/** In millionths of a dollar a token: 2.50 in (5 above 271,999), 0.25 cached, 15 out; searches 10,000 and 2,500. */
const GPT = { protocol: 'openai-responses', provider: 'openai', model: 'gpt-5.4' } as const

const usageOf = (input: number, output: number, details: object = {}) => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  ...details,
})
const response = (usage: object | null, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: GPT.model,
  status: 'completed',
  service_tier: 'default',
  output: [],
  usage,
  ...more,
})
const CREATED = {
  type: 'response.created',
  response: response(null, { status: 'in_progress', service_tier: 'auto' }),
}
const item = (value: object) => ({ type: 'response.output_item.done', item: value })
const completed = (usage: object, more: object = {}) => ({
  type: 'response.completed',
  response: response(usage, more),
})
const table = (input: number, output: number, cost: number, more: Partial<Truth> = {}): Truth => ({
  input,
  output,
  cost,
  source: 'price-table',
  ...more,
})
const PLAIN = usageOf(1000, 100)
const DETAILS = {
  input_tokens_details: { cached_tokens: 600 },
  output_tokens_details: { reasoning_tokens: 64 },
}
const search = (type: string) => item({ type: 'web_search_call', id: 'ws_1', action: { type } })

export const RESPONSES_CASES: readonly MeterCase[] = [
  {
    ...GPT,
    name: 'responses, whole',
    answer: { body: response(PLAIN) },
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'responses, streamed: tier auto resolves to default',
    answer: { events: [CREATED, completed(PLAIN)] },
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'cached and reasoning tokens lie within, whole',
    answer: { body: response(usageOf(1000, 100, DETAILS)) },
    truth: table(1000, 100, 2650, { cacheRead: 600, reasoning: 64 }),
  },
  {
    ...GPT,
    name: 'cached and reasoning tokens lie within, streamed',
    answer: { events: [CREATED, completed(usageOf(1000, 100, DETAILS))] },
    truth: table(1000, 100, 2650, { cacheRead: 600, reasoning: 64 }),
  },
  {
    ...GPT,
    name: 'two web searches; opening a page is none',
    answer: {
      events: [CREATED, search('search'), search('search'), search('open_page'), completed(PLAIN)],
    },
    truth: table(1000, 100, 24_000),
  },
  {
    ...GPT,
    name: 'a file search, whole',
    answer: { body: response(PLAIN, { output: [{ type: 'file_search_call', id: 'fs_1' }] }) },
    truth: table(1000, 100, 6500),
  },
  {
    ...GPT,
    name: 'a code interpreter is charged by the session',
    answer: { events: [CREATED, item({ type: 'code_interpreter_call' }), completed(PLAIN)] },
    truth: table(1000, 100, 0, { cost: null, source: 'unknown' }),
  },
  {
    ...GPT,
    name: 'tier flex is half the price',
    answer: { events: [CREATED, completed(PLAIN, { service_tier: 'flex' })] },
    truth: table(1000, 100, 2000),
  },
  {
    ...GPT,
    name: 'tier priority has no known price',
    answer: { body: response(PLAIN, { service_tier: 'priority' }) },
    truth: table(1000, 100, 0, { cost: null, source: 'unknown' }),
  },
  {
    ...GPT,
    name: 'an answer that ended at its limit counts',
    answer: {
      events: [
        CREATED,
        {
          type: 'response.incomplete',
          response: response(PLAIN, {
            status: 'incomplete',
            incomplete_details: { reason: 'max_output_tokens' },
          }),
        },
      ],
    },
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'the step of long prompts',
    answer: { body: response(usageOf(300_000, 1000)) },
    truth: table(300_000, 1000, 1_522_500),
  },
  {
    ...GPT,
    name: 'the provider breaks off before the end',
    answer: { events: [CREATED, item({ type: 'message', content: [] })] },
    ending: 'cut',
    truth: NOTHING_KNOWN,
  },
  {
    ...GPT,
    name: 'the agent leaves before the end',
    answer: { events: [CREATED, item({ type: 'message', content: [] })] },
    ending: 'leave',
    truth: NOTHING_KNOWN,
  },
  {
    ...GPT,
    provider: 'xai',
    model: 'grok-4',
    name: 'xAI states the cost in ticks',
    answer: { body: response(usageOf(1000, 100, { cost_in_usd_ticks: 37_756_000 })) },
    truth: { input: 1000, output: 100, cost: 3776, source: 'provider' },
  },
]
