import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BilledExtras, type PricedTokens, priceGiven } from '../board/price.ts'
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
const UNPRICED = { costMicroUsd: null, priceTable: null, source: 'unknown' }

describe('priceUsage', () => {
  it('prices input, output and cached tokens of a known model', () => {
    const plain = priceUsage({ ...sonnet, tokens: tokens({ input: 1000, output: 100 }) })
    expect(plain).toEqual({
      costMicroUsd: 4500,
      priceTable: PRICE_TABLE,
      source: 'price-table',
    })
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
    expect(priceUsage(usage)).toEqual({ ...UNPRICED, why: expect.stringMatching(/\w+ \w+/) })
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

  const NO_EXTRAS: BilledExtras = {
    cacheWrite1h: 0,
    audioInput: 0,
    audioOutput: 0,
    audioCacheRead: null,
    imageOutput: 0,
    webSearches: 0,
    fileSearches: 0,
    tiers: [],
    unpriceable: [],
  }
  const small = tokens({ input: 1000, output: 100, cacheRead: 0, cacheWrite: 400 })
  const priced = (extras: Partial<BilledExtras>, model = sonnet.model) =>
    priceUsage({ ...sonnet, model, tokens: small, extras: { ...NO_EXTRAS, ...extras } })

  it.each<[string, Partial<BilledExtras>, number]>([
    ['cache writes of five minutes', {}, 600 * 3 + 400 * 3.75 + 1500],
    ['cache writes of an hour', { cacheWrite1h: 400 }, 600 * 3 + 400 * 6 + 1500],
    ['web searches', { webSearches: 2 }, 600 * 3 + 400 * 3.75 + 1500 + 20_000],
    ['half price for a batch, not for its searches', { tiers: ['batch'], webSearches: 2 }, 22_400],
    ['a place that costs more', { tiers: ['inference_geo us'] }, 4800 * 1.1],
  ])('prices %s', (_, extras, costMicroUsd) => {
    expect(priced(extras).costMicroUsd).toBe(Math.round(costMicroUsd))
  })

  it.each<[string, Partial<BilledExtras>, string]>([
    ['an unknown tier', { tiers: ['priority'] }, 'service tier priority'],
    ['a known tier beside an unknown one', { tiers: ['batch', 'speed fast'] }, 'speed fast'],
    ['audio without a price', { audioInput: 5 }, 'audio input'],
    ['a file search without a price', { fileSearches: 1 }, 'a file search'],
    ['work by the hour', { unpriceable: ['code execution'] }, 'code execution'],
  ])('leaves %s unpriced, and says so', (_, extras, why) => {
    expect(priced(extras)).toEqual({ ...UNPRICED, why: expect.stringContaining(why) })
  })

  it('prices by what was given, and knows nothing but that', () => {
    const usage = { ...sonnet, tokens: tokens({ input: 1000, output: 100, cacheRead: 500 }) }
    const given = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: null }
    expect(priceGiven(given, usage)).toEqual({
      costMicroUsd: 500 * 2 + 500 * 0.5 + 1000,
      priceTable: null,
      source: 'given',
    })
    const unknown = { ...usage, tokens: tokens({ output: null }) }
    expect(priceGiven(given, unknown)).toMatchObject(UNPRICED)
    expect(priceGiven('free', unknown)).toEqual({
      costMicroUsd: 0,
      priceTable: null,
      source: 'free',
    })
    const searched = { ...usage, extras: { ...NO_EXTRAS, webSearches: 1 } }
    expect(priceGiven(given, searched)).toMatchObject({ why: expect.stringContaining('a search') })
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
