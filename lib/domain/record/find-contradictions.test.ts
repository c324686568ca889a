import { describe, expect, it } from 'vitest'
import { sampleEpisode } from '#lib/testing/factories/sample-record.ts'
import { sampleBrowser } from '#lib/testing/factories/samples.ts'
import type { Episode, EpisodeBody } from './episode.ts'
import { findContradictions } from './find-contradictions.ts'

const contract: EpisodeBody['contract'] = {
  verdict: 'pass',
  assertions: [],
  expectedTests: null,
  executedTests: null,
  passedTests: null,
}
const FIRED = '2026-01-01T00:00:01.500Z'
const fired = { plan: 'overlay', point: 'POST /cart', firedAt: FIRED, recovered: true }
const recovery = { fault: 'overlay' as const, rung: 'retry' as const, detectMs: 10 }
const whole = (changes: Partial<EpisodeBody> = {}) =>
  sampleEpisode({ contract, browser: sampleBrowser(), ...changes })
const subject = whole().subject
const places = (episode: Episode) => findContradictions(episode).map(({ path }) => path)

describe('a browser episode', () => {
  it('may be whole', () => {
    const stressed = whole({ fault: fired, browser: sampleBrowser({ recovery }) })
    expect([places(whole()), places(stressed)]).toEqual([[], []])
  })

  const settings = { ...subject.settings, browser: 'cold' as const }
  it.each<[string, Partial<EpisodeBody>]>([
    ['browser', { contract: sampleEpisode().contract }],
    ['browser.driven', { browser: sampleBrowser({ driven: 'llm' }) }],
    ['browser.driven', { subject: { ...subject, modelObserved: ['model-x'] } }],
    ['browser.targeting', { subject: { ...subject, targeting: 'ref' } }],
    ['browser.reuse', { subject: { ...subject, settings } }],
    ['browser.recovery.fault', { browser: sampleBrowser({ recovery }) }],
    [
      'browser.recovery.fault',
      {
        fault: { ...fired, firedAt: null, recovered: null },
        browser: sampleBrowser({ recovery }),
      },
    ],
    [
      'browser.recovery.detectMs',
      { browser: sampleBrowser({ recovery: { ...recovery, fault: null, detectMs: 0 } }) },
    ],
    ['fault.recovered', { fault: { ...fired, firedAt: null } }],
  ])('cannot say what %s would then say', (path, changes) => {
    expect(places(whole(changes))).toEqual([path])
  })
})

describe('a solved episode', () => {
  const { settings, ...who } = sampleEpisode().subject
  const limits = { maxSteps: 60, maxTokens: 400_000, maxCostMicroUsd: 2_000_000 }
  const spent = (steps: number, input: number, costMicroUsd: number, subjectMs = 1000) => {
    const { effort } = sampleEpisode()
    const tokens = { input, output: 0, cacheRead: null, cacheWrite: null, reasoning: null }
    return sampleEpisode({
      subject: { ...who, modelObserved: ['model-x'], settings: { ...settings, ...limits } },
      effort: { ...effort, steps, wall: { ...effort.wall, subjectMs } },
      usage: { tokens, costMicroUsd, priceTable: null },
    })
  }

  it('may have used what it was allowed, and what its last calls took beyond', () => {
    expect(places(spent(60, 400_000, 2_000_000))).toEqual([])
    expect(places(spent(60, 900_000, 9_000_000, 700_000))).toEqual([])
  })

  it('may have reached a budget that it has, and no other', () => {
    const stopped = (budget: 'tokens' | 'cost' | 'disk', allowed: object) =>
      sampleEpisode({
        outcome: { status: 'solved', budgetReached: { budget, reason: 'spent' } },
        subject: { ...who, modelObserved: ['m'], settings: { ...settings, ...limits, ...allowed } },
      })
    expect(places(stopped('tokens', {}))).toEqual([])
    expect(places(stopped('cost', { maxCostMicroUsd: null }))).toEqual(['outcome.budgetReached'])
    expect(places(stopped('disk', {}))).toEqual(['outcome.budgetReached'])
  })

  it.each([
    ['10,000 steps of 60', spent(10_000, 1000, 1000)],
    ['a step too many', spent(61, 1000, 1000)],
    ['$500 of $2', spent(60, 1000, 500_000_000)],
    ['ten million tokens', spent(60, 10_000_000, 1000)],
    ['an hour of ten minutes', spent(60, 1000, 1000, 3_600_000)],
  ])('cannot stand beside %s', (_, episode) => {
    expect(places(episode)).toEqual(['outcome'])
    expect(findContradictions(episode)[0]?.message).toContain('than its settings allow')
  })

  it('of a script counts actions, for which no limit of steps is kept', () => {
    const { effort } = sampleEpisode()
    const subject = { ...who, modelObserved: [], settings: { ...settings, maxSteps: 5 } }
    expect(places(sampleEpisode({ subject, effort: { ...effort, steps: 40 } }))).toEqual([])
  })
})
