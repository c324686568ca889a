import { describe, expect, it } from 'vitest'
import type { EpisodeBody } from '#lib/domain/record/index.ts'
import { sampleBrowser, sampleEpisode } from '#lib/testing/factories/samples.ts'
import { isStoredFact, readStoredFact, rederiveEpisode } from './stored-episode.ts'

const UNKNOWN = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }

/** Returns a fact as stored before it had the field `metered`. */
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

describe('a fact from before both results of grading were stored', () => {
  const judged = (changes: Parameters<typeof sampleEpisode>[0]) => {
    const { fact } = rederiveEpisode(sampleEpisode(changes))
    const { grading: _, ...before } = JSON.parse(fact)
    return { fact, before: JSON.stringify(before) }
  }
  const contract = sampleEpisode().contract as NonNullable<EpisodeBody['contract']>
  const failed = { ...contract, verdict: 'fail' as const }
  const { settings, ...subject } = sampleEpisode().subject
  const findings = [{ code: 'exit-attempt', detail: 'process.exit() was called' }]

  it.each<[string, Partial<EpisodeBody>]>([
    ['passed', {}],
    ['failed', { contract: failed }],
    ['tampered', { contract: failed, integrity: { protectedFilesTouched: [], findings } }],
    ['not evaluated', { contract: null }],
    [
      'of a browser',
      {
        browser: sampleBrowser(),
        contract: { ...contract, expectedTests: null },
        subject: { ...subject, settings: { ...settings, browser: 'reused' } },
      },
    ],
  ])('reads as what is derived today: %s', (_, changes) => {
    const { fact, before } = judged(changes)
    expect(readStoredFact(before)).toEqual(JSON.parse(fact))
    expect(isStoredFact(before, fact)).toBe(true)
  })

  it('is not taken for one with a held-out transcript', () => {
    const heldOut = { kind: 'held-out', label: '', expected: '', observed: '', children: [] }
    const { fact, before } = judged({
      contract: { ...contract, assertions: [{ ...heldOut, verdict: 'pass' }] },
    })
    expect(isStoredFact(before, fact)).toBe(false)
  })
})

it('accepts a fact as it is or was stored, and no other', () => {
  const { fact } = rederiveEpisode(sampleEpisode())
  expect(isStoredFact(fact, fact)).toBe(true)
  expect(isStoredFact(earlier({}), fact)).toBe(true)
  expect(isStoredFact(earlier({}).replace('"steps":null', '"steps":1'), fact)).toBe(false)
  expect(isStoredFact(`${fact} `, fact)).toBe(false)
})

describe('a fact from before its origin was stored', () => {
  const { fact } = rederiveEpisode(sampleEpisode())
  const { origin, ...before } = JSON.parse(fact)

  it('is the one that is derived today, and any other difference is damage', () => {
    expect(origin.harness.version).toBe('0.1.0')
    expect(isStoredFact(JSON.stringify(before), fact)).toBe(true)
    expect(isStoredFact(JSON.stringify({ ...before, status: 'unsolved' }), fact)).toBe(false)
  })

  it('may take a harness without a commit for clean, as it did then', () => {
    const { environment } = sampleEpisode()
    const harness = { ...environment.harness, commit: null }
    const now = rederiveEpisode(sampleEpisode({ environment: { ...environment, harness } })).fact
    expect(JSON.parse(now).unpinned).toEqual(['harness commit'])
    expect(isStoredFact(JSON.stringify(before), now)).toBe(true)
  })
})
