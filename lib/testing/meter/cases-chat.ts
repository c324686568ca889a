import { type MeterCase, NOTHING_KNOWN, type Truth } from './case.ts'
import { body, chunk, DONE, PLAIN, stream, usageOf } from './chat-answers.ts'

/** In millionths of a dollar a token: 2.50 in, 0.25 cached, 15 out. */
const GPT = { protocol: 'openai-chat', provider: 'openai', model: 'gpt-5.4' } as const
/** 3 in, 0.75 cached, 15 out. */
const GROK = { ...GPT, provider: 'xai', model: 'grok-4' } as const
const ROUTED = { ...GPT, provider: 'openrouter', model: 'anthropic/claude-sonnet-4.5' } as const
/** 1.15 in, 0.15 cached, 8 out. */
const KIMI = { ...GPT, provider: 'moonshot', model: 'kimi-k2-turbo-preview' } as const
const OWN = { ...GPT, provider: 'company', model: 'our-model-7' } as const

const table = (input: number, output: number, cost: number, more: Partial<Truth> = {}): Truth => ({
  input,
  output,
  cost,
  source: 'price-table',
  ...more,
})
const stated = (cost: number, more: Partial<Truth> = {}): Truth => ({
  input: 1000,
  output: 100,
  cost,
  source: 'provider',
  ...more,
})
const UNPRICED: Truth = { input: 1000, output: 100, cost: null, source: 'unknown' }
const reasoning = (tokens: number) => ({ completion_tokens_details: { reasoning_tokens: tokens } })

export const CHAT_CASES: readonly MeterCase[] = [
  { ...GPT, name: 'chat, whole', answer: body(PLAIN), truth: table(1000, 100, 4000) },
  {
    ...GPT,
    name: 'chat, streamed: usage in a last chunk without choices',
    answer: stream(PLAIN),
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'a running total in every chunk is not added up',
    answer: {
      events: [
        chunk({ usage: usageOf(1000, 20) }),
        chunk({ usage: usageOf(1000, 60) }),
        chunk({ usage: PLAIN }, 'stop'),
        DONE,
      ],
    },
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'the same last usage twice is not added up',
    answer: {
      events: [chunk({ usage: PLAIN }, 'stop'), { id: 'c1', choices: [], usage: PLAIN }, DONE],
    },
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'cached and reasoning tokens lie within',
    answer: stream(
      usageOf(1000, 100, { prompt_tokens_details: { cached_tokens: 600 }, ...reasoning(64) }),
    ),
    truth: table(1000, 100, 2650, { cacheRead: 600, reasoning: 64 }),
  },
  {
    ...GPT,
    name: 'tier flex is half the price',
    answer: stream(PLAIN, { service_tier: 'flex' }),
    truth: table(1000, 100, 2000),
  },
  {
    ...GPT,
    name: 'a tier that nobody knows',
    answer: body(PLAIN, { service_tier: 'scale' }),
    truth: UNPRICED,
  },
  {
    ...GPT,
    name: 'no usage, streamed',
    answer: { events: [chunk({}, 'stop'), DONE] },
    truth: NOTHING_KNOWN,
  },
  { ...GPT, name: 'no usage, whole', answer: body(null), truth: NOTHING_KNOWN },
  {
    ...GPT,
    model: 'gpt-4o-audio-preview',
    name: 'audio that the table has no price of',
    answer: body(usageOf(1000, 100, { prompt_tokens_details: { audio_tokens: 400 } })),
    truth: UNPRICED,
  },
  {
    ...GPT,
    name: 'the agent leaves in the middle',
    answer: { events: [chunk({}), chunk({})] },
    ending: 'leave',
    truth: NOTHING_KNOWN,
  },
  {
    ...GPT,
    name: 'the agent leaves in the middle of running totals',
    answer: { events: [chunk({ usage: usageOf(1000, 1) })] },
    ending: 'leave',
    truth: { ...UNPRICED, output: null, atLeast: { input: 1000, output: 1, cost: 2515 } },
  },
  {
    ...GPT,
    name: 'the agent leaves when all was said',
    answer: stream(PLAIN),
    ending: 'leave',
    truth: table(1000, 100, 4000),
  },
  {
    ...GPT,
    name: 'the provider breaks off behind the stop reason, before its usage',
    answer: { events: [chunk({}), chunk({}, 'stop')] },
    ending: 'cut',
    truth: NOTHING_KNOWN,
  },
  {
    ...GROK,
    name: 'xAI: reasoning beside the completion, whole',
    answer: body({ ...usageOf(100, 20, reasoning(300)), total_tokens: 420 }),
    truth: table(100, 320, 5100, { reasoning: 300 }),
  },
  {
    ...GROK,
    name: 'xAI: reasoning beside the completion, streamed',
    answer: stream({ ...usageOf(100, 400, reasoning(300)), total_tokens: 800 }),
    truth: table(100, 700, 10_800, { reasoning: 300 }),
  },
  {
    ...GROK,
    name: 'xAI: reasoning within the completion, by the total',
    answer: body(usageOf(100, 400, reasoning(300))),
    truth: table(100, 400, 6300, { reasoning: 300 }),
  },
  {
    ...GROK,
    name: 'more reasoning than completion, without a total',
    answer: body({ prompt_tokens: 100, completion_tokens: 20, ...reasoning(300) }),
    truth: table(100, 320, 5100, { reasoning: 300 }),
  },
  {
    ...GROK,
    name: 'xAI states the cost in ticks, streamed',
    answer: stream(usageOf(1000, 100, { cost_in_usd_ticks: 2_709_000 })),
    truth: stated(271),
  },
  {
    ...ROUTED,
    name: 'OpenRouter states the cost, whole',
    answer: body(
      usageOf(1000, 100, { cost: 0.0123, cost_details: { upstream_inference_cost: 0.0117 } }),
    ),
    truth: stated(12_300),
  },
  {
    ...ROUTED,
    name: 'OpenRouter states the cost, streamed',
    answer: stream(usageOf(1000, 100, { cost: 0.0123, is_byok: false, cost_details: {} })),
    truth: stated(12_300),
  },
  {
    ...ROUTED,
    name: "OpenRouter with one's own key: its fee and the bill behind it",
    answer: body(
      usageOf(1000, 100, {
        cost: 0.0006,
        is_byok: true,
        cost_details: { upstream_inference_cost: 0.0117 },
      }),
    ),
    truth: stated(12_300),
  },
  {
    ...ROUTED,
    name: "OpenRouter with one's own key, and the bill not stated",
    answer: body(usageOf(1000, 100, { cost: 0.0006, is_byok: true })),
    truth: UNPRICED,
  },
  {
    ...ROUTED,
    name: 'OpenRouter: a stated cost of 0 is 0',
    answer: body(usageOf(1000, 100, { cost: 0 })),
    truth: stated(0),
  },
  {
    ...ROUTED,
    name: 'OpenRouter without a stated cost: by its prices',
    answer: body(PLAIN),
    truth: table(1000, 100, 4500),
  },
  {
    ...GPT,
    provider: 'deepseek',
    model: 'deepseek-v3-own',
    given: { input: 0.28, output: 0.42, cacheRead: 0.028, cacheWrite: null },
    name: 'DeepSeek: cache hits beside the details, by a given price',
    answer: body(
      usageOf(1000, 100, { prompt_cache_hit_tokens: 600, prompt_cache_miss_tokens: 400 }),
    ),
    truth: { input: 1000, output: 100, cacheRead: 600, cost: 171, source: 'given' },
  },
  {
    ...KIMI,
    name: 'Moonshot: cached tokens beside the details',
    answer: body(usageOf(1000, 100, { cached_tokens: 600 })),
    truth: table(1000, 100, 460 + 90 + 800, { cacheRead: 600 }),
  },
  {
    ...KIMI,
    name: 'Moonshot: usage in the last choice',
    answer: {
      events: [
        chunk({}),
        { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: PLAIN }] },
        DONE,
      ],
    },
    truth: table(1000, 100, 1950),
  },
  {
    ...GPT,
    provider: 'groq',
    model: 'openai/gpt-oss-120b',
    name: 'Groq: usage in a member of its own, tier on demand',
    answer: {
      events: [
        chunk({ service_tier: 'on_demand' }),
        chunk({ x_groq: { usage: PLAIN } }, 'stop'),
        DONE,
      ],
    },
    truth: table(1000, 100, 210),
  },
  {
    ...GPT,
    provider: 'google',
    model: 'gemini-2.5-pro',
    name: "Gemini's address for chat: thoughts only in the total",
    answer: stream({ ...usageOf(1000, 50), total_tokens: 1350 }),
    truth: table(1000, 350, 4750),
  },
  { ...OWN, name: 'a model that nobody has a price of', answer: body(PLAIN), truth: UNPRICED },
  {
    ...OWN,
    given: { input: 2, output: 8, cacheRead: null, cacheWrite: null },
    name: 'a price that was given',
    answer: stream(PLAIN),
    truth: { input: 1000, output: 100, cost: 2800, source: 'given' },
  },
  {
    ...OWN,
    given: 'free',
    name: 'a model that costs nothing, and does not count',
    answer: { events: [chunk({}, 'stop'), DONE] },
    truth: { input: null, output: null, cost: 0, source: 'free' },
  },
  {
    ...OWN,
    headers: { 'x-litellm-response-cost': '0.0042' },
    name: 'a proxy states the cost in a header',
    answer: body(PLAIN),
    truth: stated(4200),
  },
  {
    ...OWN,
    headers: { 'x-litellm-response-cost': '0.0' },
    given: { input: 2, output: 8, cacheRead: null, cacheWrite: null },
    name: 'a proxy states a cost of 0 beside a price that was given',
    answer: body(PLAIN),
    truth: { input: 1000, output: 100, cost: 2800, source: 'given' },
  },
  {
    ...OWN,
    headers: { 'x-litellm-response-cost': '0' },
    name: 'a proxy states a cost of 0, and nobody gave a price',
    answer: stream(PLAIN),
    truth: UNPRICED,
  },
  {
    ...OWN,
    name: 'counts that are none',
    answer: body({ prompt_tokens: '1000', completion_tokens: -5 }),
    truth: NOTHING_KNOWN,
  },
]
