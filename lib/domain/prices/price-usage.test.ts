import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PricedTokens } from '../board/price.ts'
import { PRICE_TABLE, priceUsage } from './price-usage.ts'

const tokens = (change: Partial<PricedTokens> = {}): PricedTokens => ({
  input: 1_000_000,
  output: 100_000,
  cacheRead: null,
  cacheWrite: null,
  reasoning: null,
  ...change,
})
const at = '2026-11-01T00:00:00.000Z'
const sonnet = { provider: 'anthropic', model: 'claude-sonnet-4-6', at }
const UNPRICED = { costMicroUsd: null, priceTable: null }

describe('priceUsage', () => {
  it('prices input, output and cached tokens of a known model', () => {
    const plain = priceUsage({ ...sonnet, tokens: tokens({ input: 1000, output: 100 }) })
    expect(plain).toEqual({ costMicroUsd: 4500, priceTable: PRICE_TABLE })
    const cached = priceUsage({
      ...sonnet,
      tokens: tokens({ input: 1000, output: 100, cacheRead: 1000 }),
    })
    expect(cached.costMicroUsd).toBe(1800)
    const byName = priceUsage({
      ...sonnet,
      provider: null,
      tokens: tokens({ input: 1000, output: 100 }),
    })
    expect(byName.costMicroUsd).toBe(4500)
  })

  it.each([
    ['a model nobody knows', { ...sonnet, model: 'model-nobody-knows', tokens: tokens() }],
    ['a provider nobody knows', { ...sonnet, provider: 'nobody', tokens: tokens() }],
    ['unknown input', { ...sonnet, tokens: tokens({ input: null }) }],
    ['unknown output', { ...sonnet, tokens: tokens({ output: null }) }],
    ['more cached than read', { ...sonnet, tokens: tokens({ input: 10, cacheRead: 11 }) }],
    ['counts that are none', { ...sonnet, tokens: tokens({ input: Number.NaN }) }],
    ['an instant that is none', { ...sonnet, at: 'yesterday', tokens: tokens() }],
  ])('leaves %s unpriced, never 0', (_, usage) => {
    expect(priceUsage(usage)).toEqual(UNPRICED)
  })

  it('never gives less for more, nor another answer for the same question', () => {
    const count = fc.integer({ min: 0, max: 150_000 })
    fc.assert(
      fc.property(count, count, count, (input, output, more) => {
        const price = (given: PricedTokens) =>
          priceUsage({ ...sonnet, tokens: given }).costMicroUsd ?? Number.NaN
        const less = price(tokens({ input, output }))
        expect(price(tokens({ input, output }))).toBe(less)
        expect(price(tokens({ input: input + more, output }))).toBeGreaterThanOrEqual(less)
      }),
      { numRuns: 50, seed: 3 },
    )
  })

  it('names the installed release of the table', () => {
    const { version } = JSON.parse(
      readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8'),
    )
    expect(PRICE_TABLE.id).toBe(`@pydantic/genai-prices@${version}`)
  })

  it('rests on a package that reaches no network and reads no clock when it is told the time', () => {
    const code = readFileSync('node_modules/@pydantic/genai-prices/dist/index.js', 'utf8')
    expect(
      code.match(/\bfetch\(|XMLHttpRequest|WebSocket|\brequire\(|\bDate\.now|process\./g),
    ).toBeNull()
    expect(code.match(/\bimport\s*[({"']|from\s*["']node:/g)).toBeNull()
    expect(code.match(/new Date\(\)/g)).toEqual(['new Date()'])
    expect(code).toMatch(/timestamp \?\? (\/\*.*?\*\/ )?new Date\(\)/)
  })
})
