import { expect, it } from 'vitest'
import {
  SAMPLE_AGENT,
  SAMPLE_SETTINGS,
  sampleBoardSuite,
} from '#lib/testing/factories/sample-run.ts'
import { priceGiven } from '../board/index.ts'
import { priceUsage } from '../prices/index.ts'
import type { GivenPrice, Settings } from '../settings/index.ts'
import { guessCost, guessTime } from './first-guess.ts'
import { quoteCost } from './quote.ts'

const model = 'claude-sonnet-4-6'
const subject = { ...SAMPLE_AGENT, modelRequested: model }
const free = { ...SAMPLE_SETTINGS, maxCostMicroUsd: null, maxTokens: null, maxSteps: null }
const known = sampleBoardSuite(25).tasks
const now = '2026-11-01T00:00:00.000Z'

const ask = (settings: Settings = free, episodes = 3) => ({
  plan: { subject, settings },
  tasks: known.map(({ taskId }) => ({ taskId, episodes })),
  known,
  price: priceUsage,
  now,
})

it('grows with the episodes and with the size of a task, and gives a wide range', () => {
  const three = guessCost(ask(), null)
  const once = guessCost(ask(free, 1), null)
  expect(three?.expected).toBeCloseTo(3 * (once?.expected ?? 0))
  expect(three?.low).toBeCloseTo((three?.expected ?? 0) / 3)
  expect(three?.high).toBeCloseTo((three?.expected ?? 0) * 4)
  const large = known.map((task) => ({
    ...task,
    expectedTests: Array.from({ length: 40 }, (_, index) => `test ${index}`),
  }))
  expect(guessCost({ ...ask(), known: large }, null)?.expected).toBeGreaterThan(
    three?.expected ?? 0,
  )
})

it('never goes beyond the limits of the plan', () => {
  const capped = guessCost(ask(), 750)
  expect([capped?.expected, capped?.high, capped?.atMost]).toEqual([750, 750, 750])
  const all = guessCost(ask(), null)?.expected ?? 0
  expect(guessCost(ask({ ...free, maxSteps: 1 }), null)?.expected).toBeLessThan(all / 4)
  expect(guessCost(ask({ ...free, maxTokens: 1000 }), null)?.expected).toBeLessThan(all / 4)
  const time = guessTime(ask(), { concurrency: 2, atMost: 1000 })
  expect([time?.expected, time?.high]).toEqual([1000, 1000])
})

it('names the price that it rests on, also where no table has it', () => {
  const at = (given: GivenPrice) =>
    guessCost({ ...ask(), price: (usage) => priceGiven(given, usage) }, null)
  const given = at({ input: 3, output: 15, cacheRead: null, cacheWrite: null })
  expect(given?.basis).toContain(`by the size of the tasks, at the given price of ${model}; `)
  expect(at('free')).toMatchObject({ expected: 0, basis: expect.stringContaining('is free;') })
  expect(guessCost(ask(), null)?.basis).toMatch(/, at the prices of claude-sonnet-4-6 in .* of 2/)
})

it('quotes no cost by the token where a subscription pays', () => {
  const quote = quoteCost({ ...ask({ ...free, login: 'subscription' }), past: [] })
  expect(quote).toMatchObject({
    expected: null,
    atMost: null,
    basis: expect.stringMatching(/^Flat/),
  })
  expect(quoteCost({ ...ask(), past: [] }).expected).toBeGreaterThan(0)
})

it('says that it is a guess, and guesses nothing where no model works or none has a price', () => {
  const time = guessTime(ask(), { concurrency: 1, atMost: 1e9 })
  const half = guessTime(ask(), { concurrency: 2, atMost: 1e9 })
  expect(half?.expected).toBeCloseTo((time?.expected ?? 0) / 2)
  for (const quote of [guessCost(ask(), null), time]) {
    expect(quote).toMatchObject({ isGuess: true })
    expect(quote?.basis).toMatch(/^A first guess, nothing was measured yet: /)
  }
  const control = {
    ...ask(),
    plan: { subject: { ...subject, modelRequested: null }, settings: free },
  }
  expect(guessCost(control, null)).toBeNull()
  expect(guessTime(control, { concurrency: 1, atMost: 1 })).toBeNull()
  const odd = {
    ...ask(),
    plan: { subject: { ...subject, modelRequested: 'model-x-1' }, settings: free },
  }
  expect(guessCost(odd, null)).toBeNull()
})
