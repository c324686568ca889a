import type { MeterCase, Truth } from './case.ts'

/** In millionths of a dollar a token: 1.25 in (2.50 above 200,000), 0.125 cached, 10 out (15). */
const PRO = { protocol: 'gemini', provider: 'google', model: 'gemini-2.5-pro' } as const
/** 0.30 in, audio 1 in, 2.50 out. */
const FLASH = { ...PRO, model: 'gemini-2.5-flash' } as const

function part(usage: object, more: object = {}, model = PRO.model as string) {
  const content = { role: 'model', parts: [{ text: 'Done.' }] }
  return {
    modelVersion: model,
    candidates: [{ index: 0, content, finishReason: 'STOP', ...more }],
    usageMetadata: usage,
  }
}
const running = (usage: object) => part(usage, { finishReason: undefined })
const table = (input: number, output: number, cost: number, more: Partial<Truth> = {}): Truth => ({
  input,
  output,
  cost,
  source: 'price-table',
  ...more,
})
const PLAIN = { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: 1050 }

export const GEMINI_CASES: readonly MeterCase[] = [
  { ...PRO, name: 'gemini, whole', answer: { body: part(PLAIN) }, truth: table(1000, 50, 1750) },
  {
    ...PRO,
    name: 'gemini, streamed: running totals, thoughts beside the answer',
    answer: {
      events: [
        running({ promptTokenCount: 1000, thoughtsTokenCount: 120 }),
        running({ promptTokenCount: 1000, candidatesTokenCount: 20, thoughtsTokenCount: 300 }),
        part({ ...PLAIN, thoughtsTokenCount: 300, totalTokenCount: 1350 }),
      ],
    },
    truth: table(1000, 350, 4750, { reasoning: 300 }),
  },
  {
    ...PRO,
    name: 'results of tools are read as input',
    answer: {
      body: part({ ...PLAIN, toolUsePromptTokenCount: 200, totalTokenCount: 1250 }),
    },
    truth: table(1200, 50, 2000),
  },
  {
    ...PRO,
    name: 'cached content lies within the prompt',
    answer: { events: [part({ ...PLAIN, cachedContentTokenCount: 800 })] },
    truth: table(1000, 50, 250 + 100 + 500, { cacheRead: 800 }),
  },
  {
    ...FLASH,
    name: 'audio has a price of its own',
    answer: {
      body: part(
        {
          ...PLAIN,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 500 },
            { modality: 'AUDIO', tokenCount: 500 },
          ],
        },
        {},
        FLASH.model,
      ),
    },
    truth: table(1000, 50, 150 + 500 + 125),
  },
  {
    ...PRO,
    name: 'audio where all that is read costs the same',
    answer: {
      body: part({ ...PLAIN, promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 500 }] }),
    },
    truth: table(1000, 50, 1750),
  },
  {
    ...PRO,
    name: 'the step of long prompts',
    answer: { body: part({ promptTokenCount: 250_000, candidatesTokenCount: 1000 }) },
    truth: table(250_000, 1000, 640_000),
  },
  {
    ...PRO,
    name: 'a count of zero is left out: the total shows it',
    answer: { body: part({ promptTokenCount: 1000, totalTokenCount: 1000 }) },
    truth: table(1000, 0, 1250),
  },
  {
    ...PRO,
    name: 'grounding with Google Search has no price in the table',
    answer: {
      events: [part(PLAIN, { groundingMetadata: { webSearchQueries: ['a', 'b'] } })],
    },
    truth: table(1000, 50, 0, { cost: null, source: 'unknown' }),
  },
  {
    ...PRO,
    name: 'traffic that was paid in advance has no known price',
    answer: { body: part({ ...PLAIN, trafficType: 'PROVISIONED_THROUGHPUT' }) },
    truth: table(1000, 50, 0, { cost: null, source: 'unknown' }),
  },
  {
    ...PRO,
    name: 'traffic on demand is the standard',
    answer: { body: part({ ...PLAIN, trafficType: 'ON_DEMAND' }) },
    truth: table(1000, 50, 1750),
  },
  {
    ...PRO,
    name: 'the provider breaks off: the running total is a lower bound',
    answer: { events: [running({ promptTokenCount: 1000, thoughtsTokenCount: 120 })] },
    ending: 'cut',
    truth: {
      input: 1000,
      output: null,
      cost: null,
      source: 'unknown',
      atLeast: { input: 1000, output: 0, cost: 1250 },
    },
  },
]
