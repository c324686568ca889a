import { describe, expect, it } from 'vitest'
import { ask, costs, draft, past, tokens } from '#lib/testing/factories/plan-question.ts'
import { SAMPLE_AGENT, SAMPLE_SETTINGS } from '#lib/testing/factories/sample-run.ts'
import type { PlanDraft } from '../record/index.ts'
import { describePlan } from './describe-plan.ts'
import { type PreviousEpisode, previousEpisode } from './quote.ts'

describe('cost and time of a plan', () => {
  const model = 'claude-sonnet-4-6'
  const subject = { ...SAMPLE_AGENT, modelRequested: model }
  const quote = (episodes: PreviousEpisode[], plan: Partial<PlanDraft> = {}) =>
    ask({ plan: draft({ subject, ...plan }), past: episodes }).cost

  it('rests on the same subject and model, with a band over its tasks', () => {
    const own = [
      past('agent-a', model, costs(1000), 'task-1'),
      past('agent-a', model, costs(3000), 'task-1'),
      past('agent-a', model, costs(6000), 'task-2'),
      past('agent-b', model, costs(90_000), 'task-2'),
    ]
    expect(quote(own)).toEqual({
      expected: 3 * (2000 + 6000 + 23 * 4000),
      low: expect.closeTo(40_980, 0),
      high: expect.closeTo(2_196_204, 0),
      basis:
        'Based on 3 episodes of agent-a · claude-sonnet-4-6 on this suite. 95 % of new runs, by the spread within and between 2 tasks.',
      atMost: 75 * 500_000,
    })
  })

  it('else on the same model, else on past tokens at the table’s prices', () => {
    const others = [past('agent-b', model, costs(5000)), past('agent-c', 'model-z', costs(1))]
    expect(quote(others)).toMatchObject({
      expected: 75 * 5000,
      basis:
        'Based on 1 episode of claude-sonnet-4-6, driven by agent-b on this suite. There is no interval, because only one task was run before.',
    })
    const counted = quote([past('agent-c', 'model-z', costs(null))])
    expect(counted.expected).toBe(75 * 4500)
    expect(counted.basis).toMatch(
      /^Based on the tokens of 1 episode of model-z .* at the prices of claude-sonnet/,
    )
    const settings = { ...SAMPLE_SETTINGS, price: '1/10' }
    const given = quote([past('agent-c', 'model-z', costs(null))], { settings })
    expect(given.expected).toBe(75 * 2000)
    expect(given.basis).toContain('at the prices of claude-sonnet-4-6 in this plan')
    const free = quote([past('agent-a', model, costs(0))])
    expect(free.expected, 'a known zero is a zero').toBe(0)
  })

  it.each([[[]], [[past('agent-c', 'model-z', costs(null, { ...tokens, input: null as never }))]]])(
    'is a first guess that says so where no past episode has a token count (%#)',
    (episodes) => {
      const cost = quote(episodes)
      const { expected, low, high, basis } = cost
      expect(cost.isGuess).toBe(true)
      expect(low).toBeGreaterThan(0)
      expect(expected).toBeGreaterThan(2 * (low ?? 0))
      expect(high).toBeGreaterThan(2 * (expected ?? 0))
      expect(basis).toMatch(/^A first guess, nothing was measured yet: \d+ .*turns? per episode/)
      expect(basis).toContain('at the prices of claude-sonnet-4-6 in ')
      expect(basis).toContain('Past episodes replace it once there are some.')
    },
  )

  it('is unknown for a model without a price, and nothing for a subject that calls none', () => {
    const odd = quote([], { subject: { ...subject, modelRequested: 'model-x-1' } })
    expect([odd.expected, odd.basis]).toEqual([
      null,
      expect.stringContaining('the model is not in the price table'),
    ])
    const control = { ...subject, kind: 'control' as const, modelRequested: null }
    const none = quote([past('agent-a', null, null)], { subject: control })
    expect([none.expected, none.basis]).toEqual([0, 'agent-a calls no model.'])
    const agent = quote([], { subject: { ...subject, modelRequested: null } })
    expect(agent.expected).toBeNull()
  })

  it('takes what was paid elsewhere, or by another price, as tokens alone', () => {
    const elsewhere = past('agent-a', model, costs(0))
    const local = { ...elsewhere, subject: { ...elsewhere.subject, provider: 'ollama@127.0.0.1' } }
    const free = { ...elsewhere, price: 'free' }
    for (const one of [local, free]) {
      const { expected, basis } = quote([one])
      expect(expected).toBe(75 * 4500)
      expect(basis).toContain('Based on the tokens of 1 episode')
    }
    const settings = { ...SAMPLE_SETTINGS, price: 'free' }
    expect(quote([past('agent-a', model, costs(5000))], { settings }).expected).toBe(0)
  })

  it('counts no episode beyond the limit of the plan', () => {
    const settings = { ...SAMPLE_SETTINGS, maxCostMicroUsd: 1000 }
    const { expected, atMost } = quote([past('agent-a', model, costs(90_000))], { settings })
    expect([expected, atMost]).toEqual([75_000, 75_000])
  })

  it('divides the time by the concurrency, but not that of one episode', () => {
    const own = [past('agent-a', model, null)]
    const { time } = ask({ plan: draft({ subject }), past: own })
    expect(time).toMatchObject({ expected: 375_000, low: null, atMost: 38 * 60_000 })
    const [only] = draft().tasks
    const one = draft({ subject, repetitions: 1, tasks: only ? [only] : [] })
    const few = ask({ plan: one, past: own, concurrency: 8 }).time
    expect(few).toMatchObject({ expected: 10_000, atMost: 60_000 })
    const [guess, alone] = [8, 1].map((concurrency) => ask({ plan: one, concurrency }).time)
    expect(guess?.expected).toBe(alone?.expected)
    const control = { ...SAMPLE_AGENT, kind: 'control' as const, modelRequested: null }
    expect(ask({ plan: draft({ subject: control }) }).time.expected).toBeNull()
  })

  it('takes each task by its own past, slow episodes included, and one without by the mean of tasks', () => {
    const stuck = { ...past('agent-a', model, null), wallMs: 100_000 }
    const quick = past('agent-a', model, null)
    const often = ask({ plan: draft({ subject }), past: [quick, quick, stuck], concurrency: 1 })
    expect(often.time.expected).toBe(75 * 40_000)
    const slow = { ...past('agent-a', model, null, 'task-2'), wallMs: 40_000 }
    const request = { plan: draft({ subject }), past: [past('agent-a', model, null), slow] }
    const { time } = ask(request)
    const each = (10_000 + 40_000 + 23 * 25_000) * 3
    expect(time).toMatchObject({
      expected: each / 2,
      low: expect.closeTo(90_295, 0),
      high: expect.closeTo(9_733_680, 0),
    })
    expect(time.basis).toContain('95 % of new runs, by the spread within and between 2 tasks.')
    expect(ask({ ...request, concurrency: 1 }).time.expected).toBe(each)
  })

  it('says all of it in two sentences', () => {
    const own = [
      past('agent-a', model, costs(40_000)),
      past('agent-a', model, costs(80_000), 'task-2'),
    ]
    const text = describePlan(ask({ plan: draft({ subject }), past: own }))
    expect(text).toBe(
      '75 episodes (25 tasks × 3): enough for a ranking over the suite, not for single tasks. ' +
        '80 % power to detect a difference of 29.5 points from an entry of the same size. ' +
        'Costs about $4.50 ($1.15 to $17.63); takes about 6 min (6 min to 6 min), 2 at a time.',
    )
    const control = { ...SAMPLE_AGENT, kind: 'control' as const, modelRequested: null }
    expect(describePlan(ask({ plan: draft({ subject: control }) }))).toContain(
      'Costs nothing; the duration is unknown.',
    )
  })
})

describe('previousEpisode', () => {
  it('leaves out what was not scored or is not an envelope', () => {
    expect(previousEpisode(null)).toBeNull()
    expect(previousEpisode({ taskId: 'a' })).toBeNull()
  })
})
