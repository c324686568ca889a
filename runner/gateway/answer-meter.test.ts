import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROTOCOLS, type Protocol } from '#lib/domain/runs/index.ts'
import { AnswerMeter } from './answer-meter.ts'
import { readTokenCounts } from './tokens.ts'
import { RequestedTools } from './tool-calls.ts'
import type { WireTurn } from './wire-turn.ts'
import { writeTurn } from './write-turn.ts'

async function meter(
  protocol: Protocol,
  type: string,
  pieces: readonly Uint8Array[],
  encoding = '',
) {
  const one = new AnswerMeter(protocol, { type, encoding })
  for (const piece of pieces) await one.write(piece)
  return await one.end()
}

/** Returns the fingerprint of a call whose members come in another order. */
function printOf(name: string, input: unknown): string | null {
  const tools = new RequestedTools()
  const turnedAround = Object.fromEntries(Object.entries(input as object).reverse())
  tools.begin('0', { id: null, name, value: turnedAround })
  return tools.list()[0]?.fingerprint ?? null
}

const arbitraryTurn: fc.Arbitrary<WireTurn> = fc
  .record({
    say: fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
    reason: fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
    calls: fc.array(
      fc.record({
        name: fc.constantFrom('Read', 'Edit', 'shell'),
        input: fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })),
      }),
      { maxLength: 4 },
    ),
    cacheRead: fc.nat(5000),
    cacheWrite: fc.nat(5000),
    fresh: fc.nat(5000),
    reasoning: fc.nat(500),
    written: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ say, reason, calls, cacheRead, cacheWrite, fresh, reasoning, written }) => ({
    id: 'x1',
    model: 'some-model-1',
    say,
    reason,
    calls,
    usage: {
      input: fresh + cacheRead + cacheWrite,
      output: written + reasoning,
      cacheRead,
      cacheWrite,
      reasoning,
    },
    stop: 'end' as const,
    createdAt: 1,
  }))

/** Fields that each protocol supports. */
const TOLD: Record<Protocol, { cacheWrite: boolean; reasoning: boolean }> = {
  anthropic: { cacheWrite: true, reasoning: false },
  'openai-responses': { cacheWrite: true, reasoning: true },
  'openai-chat': { cacheWrite: true, reasoning: true },
  gemini: { cacheWrite: false, reasoning: true },
}

describe('one definition of tokens for every protocol', () => {
  it.each(
    PROTOCOLS.flatMap((protocol) => [true, false].map((streams) => [protocol, streams] as const)),
  )(
    '%s, streamed %s: what a turn was written with is what is read, however it is cut',
    async (protocol, streams) => {
      await fc.assert(
        fc.asyncProperty(arbitraryTurn, fc.integer({ min: 1, max: 50 }), async (turn, size) => {
          const { contentType, chunks } = writeTurn(protocol, turn, { streams, asksUsage: true })
          const bytes = Buffer.from(chunks.join(''))
          const pieces: Uint8Array[] = []
          for (let start = 0; start < bytes.length; start += size)
            pieces.push(bytes.subarray(start, start + size))
          const reading = await meter(protocol, contentType, pieces)
          expect(reading).toMatchObject({
            model: turn.model,
            complete: true,
            refused: false,
            error: null,
            toolCalls: turn.calls.map(({ name }) => name),
          })
          const prints = reading.tools.list().map(({ fingerprint }) => fingerprint)
          expect(prints).toEqual(turn.calls.map(({ name, input }) => printOf(name, input)))
          expect(readTokenCounts(protocol, reading.rawUsage)).toEqual({
            ...turn.usage,
            cacheWrite: TOLD[protocol].cacheWrite ? turn.usage.cacheWrite : null,
            reasoning: TOLD[protocol].reasoning ? turn.usage.reasoning : null,
          })
        }),
        { numRuns: 40 },
      )
    },
  )

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('reads a %s answer beside the client', async (encoding, compress) => {
    const body = compress('data: {"model":"m","choices":[{"finish_reason":"stop"}]}\n\n')
    const reading = await meter(
      'openai-chat',
      'text/event-stream',
      [body.subarray(0, 9), body.subarray(9)],
      encoding,
    )
    expect(reading).toMatchObject({
      model: 'm',
      stopReason: 'stop',
      complete: true,
      readable: true,
    })
  })

  it.each(['gzip', 'zstd'])('survives what it cannot decode (%s)', async (encoding) => {
    const reading = await meter('gemini', 'application/json', [Buffer.from('not it')], encoding)
    expect(reading).toMatchObject({ readable: false, rawUsage: null, complete: false })
  })

  it('reports null where the provider reported nothing', () => {
    const unknown = {
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
      reasoning: null,
    }
    for (const protocol of PROTOCOLS) {
      expect(readTokenCounts(protocol, null)).toEqual(unknown)
      expect(readTokenCounts(protocol, {})).toEqual(unknown)
      expect(readTokenCounts(protocol, { input_tokens: '5', prompt_tokens: -1 })).toEqual(unknown)
    }
  })

  it('finds what Gemini wrote in the total when it leaves the zero out', () => {
    expect(readTokenCounts('gemini', { promptTokenCount: 10, totalTokenCount: 14 })).toMatchObject({
      input: 10,
      output: 4,
    })
  })
})

describe('errors and refusals inside an answer', () => {
  it.each<[string, Protocol, string, object]>([
    [
      'anthropic error event',
      'anthropic',
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
      { error: { type: 'overloaded_error', message: 'x' }, complete: false },
    ],
    [
      'responses failed',
      'openai-responses',
      'data: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"x"}}}\n\n',
      { error: { type: 'server_error', message: 'x' }, complete: false, stopReason: 'failed' },
    ],
    [
      'chat error chunk',
      'openai-chat',
      'data: {"error":{"message":"x","code":502}}\n\n',
      { error: { type: '502', message: 'x' }, complete: false },
    ],
    [
      'gemini blocked prompt',
      'gemini',
      'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n',
      { refused: true, stopReason: 'prompt:SAFETY' },
    ],
    [
      'anthropic refusal',
      'anthropic',
      'data: {"type":"message_delta","delta":{"stop_reason":"refusal"}}\n\n',
      { refused: true, stopReason: 'refusal' },
    ],
    [
      'chat filter',
      'openai-chat',
      'data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}\n\n',
      { refused: true },
    ],
    [
      'responses refusal part',
      'openai-responses',
      'data: {"type":"response.output_item.done","item":{"type":"message","content":[{"type":"refusal","refusal":"no"}]}}\n\n',
      { refused: true },
    ],
    ['no JSON at all', 'openai-chat', 'data: {"choi\n\n', { complete: false, error: null }],
  ])('%s', async (_what, protocol, body, expected) => {
    expect(await meter(protocol, 'text/event-stream', [Buffer.from(body)])).toMatchObject(expected)
  })

  it('counts a tool once when its name is repeated in every fragment', async () => {
    const chunk = (name: string, index: number) =>
      `data: {"choices":[{"delta":{"tool_calls":[{"index":${index},"function":{"name":"${name}"}}]}}]}\n\n`
    const body = chunk('a', 0) + chunk('a', 0) + chunk('b', 1)
    const reading = await meter('openai-chat', 'text/event-stream', [Buffer.from(body)])
    expect(reading.toolCalls).toEqual(['a', 'b'])
  })

  it('reads a Gemini stream that came as one JSON array', async () => {
    const body =
      '[{"modelVersion":"g"},{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3}}]'
    const reading = await meter('gemini', 'application/json', [Buffer.from(body)])
    expect(reading).toMatchObject({ model: 'g', stopReason: 'STOP', complete: true })
  })
})
