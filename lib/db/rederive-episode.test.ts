import { describe, expect, it } from 'vitest'
import { sampleEpisode } from '#lib/testing/sample-episode.ts'
import { isFactAsKept, readStoredFact, rederiveEpisode } from './rederive-episode.ts'

const UNKNOWN = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }

/** A fact as it was kept before it said whether it was metered. */
function earlier(usage: Parameters<typeof sampleEpisode>[0] & object) {
  const { metered: _, ...fact } = JSON.parse(rederiveEpisode(sampleEpisode(usage)).fact)
  return JSON.stringify(fact)
}

describe('readStoredFact', () => {
  it('gives back what was derived', () => {
    const { fact } = rederiveEpisode(sampleEpisode())
    expect(readStoredFact(fact)).toEqual(JSON.parse(fact))
    expect(readStoredFact(fact).metered).toBe(false)
  })

  it('fills in what an earlier version did not keep', () => {
    const tokens = { ...UNKNOWN, input: 10, output: 2 }
    const usage = { tokens, costMicroUsd: null, priceTable: null }
    expect(readStoredFact(earlier({ usage })).metered).toBe(true)
    expect(readStoredFact(earlier({ usage: { ...usage, tokens: UNKNOWN } })).metered).toBe(false)
    expect(readStoredFact(earlier({ usage: null })).metered).toBe(false)
  })
})

it('knows a fact as it is or was kept, and no other', () => {
  const { fact } = rederiveEpisode(sampleEpisode())
  expect(isFactAsKept(fact, fact)).toBe(true)
  expect(isFactAsKept(earlier({}), fact)).toBe(true)
  expect(isFactAsKept(earlier({}).replace('"steps":null', '"steps":1'), fact)).toBe(false)
  expect(isFactAsKept(`${fact} `, fact)).toBe(false)
})
