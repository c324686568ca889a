import { describe, expect, it } from 'vitest'
import { fromInspectUsage, toInspectUsage } from './inspect-usage.ts'

const usage = (input: number, cacheRead: number | null, cacheWrite: number | null = null) => ({
  tokens: { input, output: 50, cacheRead, cacheWrite, reasoning: null },
  costMicroUsd: null,
  priceTable: null,
})

describe('usage in a log of Inspect', () => {
  it.each([
    ['caches beside input', { input_tokens: 12, total_tokens: 9062 }, 9012],
    ['no total, so as Inspect defines it', { input_tokens: 12 }, 9012],
    ['an older log that counts them in', { input_tokens: 9012, total_tokens: 9062 }, 9012],
    ['a total that cannot include them', { input_tokens: 12, total_tokens: 62 }, 9012],
  ])('counts everything that was sent: %s', (_, data, input) => {
    const cached = { input_tokens_cache_read: 8000, input_tokens_cache_write: 1000 }
    const read = fromInspectUsage({ ...data, ...cached, output_tokens: 50 })
    expect(read.tokens).toMatchObject({ input, output: 50, cacheRead: 8000, cacheWrite: 1000 })
  })

  it('without its input has no input, whatever came from a cache', () => {
    expect(fromInspectUsage({ input_tokens_cache_read: 7 }).tokens.input).toBeNull()
  })

  it('is written with cached tokens beside input, and reads as what it was', () => {
    expect(toInspectUsage(usage(1000, 600, 100))).toMatchObject({
      input_tokens: 300,
      output_tokens: 50,
      total_tokens: 1050,
      input_tokens_cache_read: 600,
      input_tokens_cache_write: 100,
    })
    for (const one of [usage(1000, 600, 100), usage(1000, null), usage(5, 5)])
      expect(fromInspectUsage(toInspectUsage(one) ?? {})).toEqual(one)
  })

  it('is not written where more came from caches than was sent', () => {
    expect(toInspectUsage(usage(10, 11))).toBeNull()
  })
})
