import { describe, expect, it } from 'vitest'
import { priceGiven, unpriced } from '#lib/domain/board/index.ts'
import { readBilledUsage } from './billed-usage.ts'
import { CallLedger } from './call-ledger.ts'
import type { PriceCall } from './call-record.ts'
import { settleCall } from './settle-call.ts'

const given: PriceCall = (usage) =>
  priceGiven({ input: 3, output: 15, cacheRead: null, cacheWrite: null }, usage)
const none: PriceCall = () => unpriced('model-x has no known price')

function settle(
  cost: object,
  {
    price = given,
    header = null,
    provider = 'lab',
    model = 'model-x',
    tokens = [10_000, 1000],
  }: Partial<{
    price: PriceCall
    header: string | null
    provider: string
    model: string
    tokens: [number, number]
  }> = {},
) {
  const clock = { now: () => '2026-11-01T00:00:00.000Z', monotonicMs: () => 0 }
  const ledger = new CallLedger(clock, () => {})
  const bytes = Buffer.from('{}')
  const request = {
    protocol: 'openai-chat' as const,
    path: '/',
    streams: false,
    model,
    bytes,
    json: {},
  }
  const { record } = ledger.open(request)
  const rawUsage = { prompt_tokens: tokens[0], completion_tokens: tokens[1], ...cost }
  const heard = { rawUsage, isUsageFinal: true, tier: null, served: new Map() }
  const upstream = { provider, baseUrl: 'http://127.0.0.1:9', headers: {} }
  settleCall(record, upstream, readBilledUsage('openai-chat', heard, header), price)
  return [record.price.costMicroUsd, record.price.source ?? 'price-table', record.unknownBecause]
}

const ZEROS: [object, string | null][] = [
  [{}, '0.0'],
  [{}, '0'],
  [{}, ''],
  [{}, 'none'],
  [{ cost: 0 }, null],
  [{ cost: '0' }, null],
  [{ cost: null }, null],
  [{ cost: { total_cost: 0 } }, null],
  [{ cost_in_usd_ticks: 0 }, null],
  [{ cost: 0, cost_details: { upstream_inference_cost: 0 } }, null],
  [{ cost: 0, cost_details: { upstream_inference_cost: 0 }, is_byok: true }, null],
]

describe('a zero that is not a price', () => {
  it.each(ZEROS)('%j with header %j costs what the user said', (cost, header) => {
    const [costMicroUsd, source] = settle(cost, { header })
    if ('is_byok' in cost) expect(source).toBe('unknown')
    else expect([costMicroUsd, source]).toEqual([45_000, 'given'])
  })

  it('is unknown without a price', () => {
    const [cost, , why] = settle({ cost: 0 }, { price: none })
    expect([cost, why]).toEqual([
      null,
      'the provider states a cost of zero, and the model has no known price',
    ])
  })
})

describe('a price', () => {
  it('is a stated cost, however small, before the price that was given', () => {
    expect(settle({ cost: 0.02 })).toEqual([20_000, 'provider', null])
    expect(settle({ cost: 0.0000001 })).toEqual([0, 'provider', null])
    expect(settle({ cost: 0 }, { header: '0.03' })).toEqual([30_000, 'provider', null])
    expect(settle({ cost: 0, cost_in_usd_ticks: 40_000_000 })).toEqual([4000, 'provider', null])
  })

  it('is a zero of a provider that sends the bill, unless the user gave a price', () => {
    expect(settle({ cost: 0 }, { provider: 'openrouter', price: none })).toEqual([
      0,
      'provider',
      null,
    ])
    expect(settle({ cost: 0 }, { provider: 'openrouter' })).toEqual([45_000, 'given', null])
    expect(settle({ cost: 0 }, { provider: 'openrouter@proxy.test', price: none })[0]).toBeNull()
  })

  it('is zero for a model that is called free, and for no tokens', () => {
    expect(settle({ cost: 0 }, { model: 'acme/small:free' })).toEqual([0, 'provider', null])
    expect(settle({ cost: 0 }, { tokens: [0, 0], price: none })).toEqual([0, 'provider', null])
  })
})
