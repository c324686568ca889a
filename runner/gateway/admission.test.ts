import { describe, expect, it } from 'vitest'
import { AdmissionLine, type Reservation, reserveTokens } from './admission.ts'
import { CallLedger, type OpenCall } from './call-ledger.ts'

const NO_LIMITS = { maxTokens: null, maxCostMicroUsd: null }
const ledger = new CallLedger({ now: () => '2026-11-01T00:00:00Z', monotonicMs: () => 0 }, () => {})

function openCall(): OpenCall {
  const bytes = Buffer.from('{}')
  const request = { protocol: 'openai-chat' as const, path: '/', streams: true, model: 'm' }
  return ledger.open({ ...request, bytes, json: {} })
}

const spent = (tokens: number) => ({ tokens, costMicroUsd: 0 })
const holds = (tokens: number): Reservation => ({ tokens, costMicroUsd: tokens })
const ask = (line: AdmissionLine, call: OpenCall, reserved: number, used: number) =>
  line.enter(call, {
    reservation: holds(reserved),
    charged: spent(used),
    gone: new AbortController().signal,
  })

describe('the line before a budget', () => {
  it('lets ten parallel calls out one by one where each could take the rest', async () => {
    const line = new AdmissionLine({ maxTokens: 5000, maxCostMicroUsd: null })
    let used = 0
    let max = 0
    let under = 0
    const work = async () => {
      const call = openCall()
      for (;;) {
        if (used >= 5000) return line.leave(call)
        if ((await ask(line, call, 40_000, used)) === 'admitted') break
      }
      under += 1
      max = Math.max(max, under)
      await new Promise((done) => setImmediate(done))
      used += 4050
      under -= 1
      line.leave(call)
    }
    await Promise.all(Array.from({ length: 10 }, work))
    expect([used, max]).toEqual([8100, 1])
  })

  it('lets as many out at once as fit, and everybody without a budget', async () => {
    const line = new AdmissionLine({ maxTokens: 5000, maxCostMicroUsd: null })
    const calls = Array.from({ length: 4 }, openCall)
    const states = calls.slice(0, 3).map((call) => ask(line, call, 2000, 0))
    expect(await Promise.all(states)).toEqual(['admitted', 'admitted', 'admitted'])
    expect(calls.map(({ isForwarded }) => isForwarded)).toEqual([true, true, true, false])
    const free = new AdmissionLine(NO_LIMITS)
    expect(await Promise.all(calls.map((call) => ask(free, call, 1e9, 1e9)))).toEqual(
      Array(4).fill('admitted'),
    )
  })

  it('reserves cost like tokens, and everything for an unknown amount', async () => {
    const line = new AdmissionLine({ maxTokens: null, maxCostMicroUsd: 100 })
    const [first, second] = [openCall(), openCall()]
    expect(await ask(line, first, Number.POSITIVE_INFINITY, 0)).toBe('admitted')
    const waiting = ask(line, second, 1, 0)
    line.leave(first)
    expect(await waiting).toBe('again')
    expect(await ask(line, second, 1, 0)).toBe('admitted')
  })

  it('does not wait for a caller that has left, nor for responses that are not read', async () => {
    const line = new AdmissionLine({ maxTokens: 100, maxCostMicroUsd: null }, 0)
    const [first, second] = [openCall(), openCall()]
    await ask(line, first, 1000, 0)
    const gone = new AbortController()
    const turn = { reservation: holds(1), charged: spent(0), gone: gone.signal }
    const waiting = line.enter(second, turn)
    gone.abort()
    expect([await waiting, await line.enter(second, turn)]).toEqual(['again', 'gone'])
    first.unreadSinceMs = performance.now()
    expect(await ask(line, second, 1, 0)).toBe('unread')
  })
})

describe('what a call may take', () => {
  const reserve = (
    protocol: 'openai-chat' | 'anthropic' | 'gemini' | 'openai-responses',
    json: object,
  ) => {
    const text = JSON.stringify(json)
    return reserveTokens(protocol, { json, text, bytes: Buffer.from(text) })
  }

  it('is its bytes and the limit of its answer', () => {
    expect(reserve('anthropic', { max_tokens: 32_000 })).toEqual({ input: 20, output: 32_000 })
    expect(reserve('openai-chat', { max_completion_tokens: 10, n: 3 }).output).toBe(30)
    expect(reserve('gemini', { generationConfig: { maxOutputTokens: 7 } }).output).toBe(7)
    expect(reserve('openai-responses', {}).output).toBe(128_000)
  })

  it.each([
    ['openai-responses', { previous_response_id: 'resp_1' }],
    ['openai-responses', { tools: [{ type: 'web_search' }] }],
    ['anthropic', { max_tokens: 5, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['gemini', { tools: [{ googleSearch: {} }] }],
    ['gemini', { cachedContent: 'cachedContents/1' }],
    ['anthropic', { messages: [{ source: { type: 'file', file_id: 'file_1' } }] }],
  ] as const)('has no bound where the provider adds to it: %s %j', (protocol, json) => {
    expect(reserve(protocol, json).input).toBe(Number.POSITIVE_INFINITY)
  })
})
