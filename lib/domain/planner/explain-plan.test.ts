import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import { SAMPLE_SETTINGS } from '../board/build-sample-run.ts'
import { SAMPLE_AGENT, sampleBoardSuite } from '../board/index.ts'
import { POLICY_VERSION } from '../eligibility/index.ts'
import { priceUsage } from '../prices/index.ts'
import type { PlanDraft } from '../record/index.ts'
import {
  ASSUMED_VARIANCES,
  detectableByMcNemar,
  detectableDifference,
  simulatedPower,
} from '../statistics/index.ts'
import { describePlan } from './describe-plan.ts'
import { explainPlan, type PlanQuestion } from './explain-plan.ts'
import type { PreviousRow } from './find-power.ts'
import { type PreviousEpisode, previousEpisode } from './quote.ts'

const suite = sampleBoardSuite(25)
const now = '2026-11-01T00:00:00.000Z'

function draft(change: Partial<PlanDraft> = {}): PlanDraft {
  return {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: suite.tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: SAMPLE_AGENT,
    command: null,
    repetitions: 3,
    settings: SAMPLE_SETTINGS,
    policyVersion: POLICY_VERSION,
    ...change,
  }
}

const ask = (change: Partial<PlanQuestion> = {}) =>
  explainPlan({
    plan: draft(),
    suite,
    own: null,
    competitor: null,
    past: [],
    price: priceUsage,
    concurrency: 2,
    now,
    ...change,
  })

function past(
  name: string,
  model: string | null,
  usage: PreviousEpisode['usage'],
  taskId = 'task-1',
) {
  return {
    taskId,
    subject: { name, provider: 'anthropic', modelRequested: model },
    wallMs: 10_000,
    usage,
  }
}
const tokens = { input: 1000, output: 100, cacheRead: null, cacheWrite: null, reasoning: null }
const costs = (costMicroUsd: number | null, counted = tokens) => ({
  tokens: counted,
  costMicroUsd,
  priceTable: null,
})

describe('explainPlan: power', () => {
  it('takes the power of the test that decides: summed for one repetition, simulated beyond', () => {
    const { alternatives, detectable, floor, assumptions } = ask()
    const design = { tasks: 25, ...ASSUMED_VARIANCES, alpha: 0.05, power: 0.8 }
    const exact = detectableByMcNemar(design)
    const three = { ...design, repetitionsA: 3, repetitionsB: 3 }
    expect(exact.ok && alternatives[0]?.detectable.value).toBe(exact.ok && exact.value)
    const power = simulatedPower(detectable.value ?? 0, three, { rounds: 10_000, seed: 7 })
    expect(power).toBeGreaterThan(0.78)
    expect(power).toBeLessThan(0.82)
    const formula = detectableDifference(three)
    expect(formula.ok && formula.value).toBeLessThan(detectable.value ?? 0)
    expect(assumptions.difference).toMatch(/^Assumption: success probabilities/)
    expect(alternatives.map(({ repetitions }) => repetitions)).toEqual([1, 2, 3, 5, 10, 20])
    expect(alternatives.filter(({ isPlanned }) => isPlanned)).toHaveLength(1)
    const found = alternatives.map((one) => one.detectable.value ?? 1)
    expect([...found].sort((a, b) => b - a)).toEqual(found)
    expect(Math.min(...found)).toBeGreaterThan(floor.value ?? 1)
  })

  it('asks for a larger difference in a larger pool, and says which', () => {
    const [pair, eight] = [ask(), ask({ poolRows: 8 })]
    expect(pair.pool).toEqual({ rows: 2, pairs: 1, alpha: 0.05 })
    expect(eight.pool).toEqual({ rows: 8, pairs: 28, alpha: 0.05 / 28 })
    expect(eight.detectable.value).toBeGreaterThan(1.3 * (pair.detectable.value ?? 1))
    expect(describePlan(eight)).toContain(' among 8 ranked entries. ')
    const few = ask({ poolRows: 50, plan: draft({ tasks: draft().tasks.slice(0, 12) }) })
    expect(few.detectable).toEqual({
      value: null,
      reason: 'No test over so few tasks (12) can reach its level.',
    })
  })

  it('says how many tasks five and ten points would take', () => {
    const [five, ten] = ask().tasksNeeded.map(({ tasks }) => tasks.value ?? 0)
    expect(five).toBeGreaterThan(3.9 * (ten ?? 0))
    const design = { ...ASSUMED_VARIANCES, repetitionsA: 3, repetitionsB: 3 }
    const reached = detectableDifference({ ...design, tasks: ten ?? 0, alpha: 0.05, power: 0.8 })
    expect(reached.ok && reached.value).toBeLessThanOrEqual(0.1)
  })

  it('learns from past rows and names them; rows without repetitions or spread teach nothing', () => {
    const row = (label: string, solved: (task: number) => number, scored = 4): PreviousRow => ({
      label,
      tasks: suite.tasks.map(({ taskId }, task) => ({ taskId, solved: solved(task), scored })),
    })
    const own = row('agent-a', (task) => task % 5)
    const competitor = row('agent-b', (task) => (task + 2) % 5)
    const both = ask({ own, competitor })
    expect(both.assumptions.difference).toBe(
      'Variances estimated from the entries agent-a and agent-b.',
    )
    expect(both.halfWidth.value).not.toBe(ask().halfWidth.value)
    expect(ask({ own }).assumptions.spread).toBe('Spread estimated from the entry agent-a.')
    expect(ask({ competitor }).assumptions.spread).toContain('competing entry agent-b')
    for (const poor of [row('perfect', () => 4), row('once', (task) => task % 2, 1)]) {
      const { assumptions } = ask({ own: poor })
      expect(assumptions).toMatchObject({ sSquaredA: 1 / 6, vSquared: 1 / 12, wSquared: 1 / 9 })
      expect(assumptions.spread).toContain(`entry ${poor.label} has no repetitions or no spread`)
    }
  })

  it('says why there is no figure instead of giving one that is none', () => {
    const one = ask({ plan: draft({ tasks: draft().tasks.slice(0, 1), repetitions: 1 }) })
    expect(one.halfWidth).toMatchObject({ value: null, reason: expect.stringMatching(/two tasks/) })
    expect(one.detectable.value).toBeNull()
    expect(one.detectable.reason).not.toBeNull()
    expect(describePlan(one)).toMatch(/^1 episode \(1 task × 1\): /)
  })

  it('never gives a figure that is no number', () => {
    const sizes = fc.record({
      tasks: fc.integer({ min: 1, max: 25 }),
      repetitions: fc.integer({ min: 1, max: 1000 }),
      concurrency: fc.integer({ min: 1, max: 64 }),
    })
    fc.assert(
      fc.property(sizes, ({ tasks, repetitions, concurrency }) => {
        const plan = draft({ tasks: draft().tasks.slice(0, tasks), repetitions })
        const text = JSON.stringify(ask({ plan, concurrency }), (_, value) =>
          typeof value === 'number' && !Number.isFinite(value) ? 'NOT FINITE' : value,
        )
        expect(text).not.toContain('NOT FINITE')
      }),
      { numRuns: countDraws(40, 10), seed: 5 },
    )
  }, 60_000)
})

describe('explainPlan: the gate', () => {
  const codes = (change: Partial<PlanDraft>) => {
    const { gate } = ask({ plan: draft(change) })
    return [gate.aggregate.map(({ code }) => code), gate.perTask.map(({ code }) => code)]
  }

  it('passes a pinned plan of the whole suite, and asks more of a claim about one task', () => {
    expect(codes({})).toEqual([[], ['samples']])
    expect(codes({ repetitions: 20 })).toEqual([[], []])
    expect(ask().gate.perTask[0]?.reason).toBe(
      'Only 3 of the 20 scored episodes required for a result about one task.',
    )
  })

  it('names what is missing in the words of its own rules', () => {
    expect(codes({ tasks: draft().tasks.slice(0, 3) })[0]).toEqual(['samples'])
    const loose = { ...SAMPLE_SETTINGS, temperature: null, maxTokens: null }
    const [first] = ask({ plan: draft({ settings: loose }) }).gate.aggregate
    expect(first?.reason).toBe('Not pinned in the plan: temperature and token budget.')
    const nameless = { ...SAMPLE_AGENT, version: 'latest', modelRequested: null }
    expect(codes({ subject: nameless })[0]).toEqual(['pins', 'llm-pins'])
    expect(codes({ subject: { ...SAMPLE_AGENT, version: null } })[0]).toEqual([])
    const control = { ...SAMPLE_AGENT, kind: 'control' as const, modelRequested: null }
    expect(codes({ subject: control })[0]).toEqual(['mode'])
  })

  it('does not mistake what it leaves out for what is missing', () => {
    const strict = { ...suite, thresholds: { aggregateEpisodes: 700 } }
    expect(ask({ suite: strict, plan: draft({ repetitions: 28 }) }).gate.aggregate).toEqual([])
    expect(ask({ suite: strict, plan: draft({ repetitions: 27 }) }).gate.aggregate).toHaveLength(1)
  })
})

describe('explainPlan: cost and time', () => {
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
      low: 75 * 2000,
      high: 75 * 6000,
      basis:
        'Based on 3 episodes of agent-a · claude-sonnet-4-6 on this suite. 95 % interval: bootstrap over 2 tasks.',
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

  it('is unknown for a model without a price and for a subject without a model', () => {
    const odd = quote([], { subject: { ...subject, modelRequested: 'model-x-1' } })
    expect([odd.expected, odd.basis]).toEqual([
      null,
      expect.stringContaining('the model is not in the price table'),
    ])
    const control = { ...subject, kind: 'control' as const, modelRequested: null }
    const none = quote([past('agent-a', null, null)], { subject: control })
    expect([none.expected, none.basis]).toEqual([null, expect.stringContaining('uses no model')])
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
    const asked = { plan: draft({ subject }), past: [past('agent-a', model, null), slow] }
    const { time } = ask(asked)
    const each = (10_000 + 40_000 + 23 * 25_000) * 3
    expect(time).toMatchObject({ expected: each / 2, low: 375_000, high: 1_500_000 })
    expect(time.basis).toContain('95 % interval: bootstrap over 2 tasks.')
    expect(ask({ ...asked, concurrency: 1 }).time.expected).toBe(each)
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
        'Costs about 4.50 USD (3.00 USD to 6.00 USD); takes about 6 min (6 min to 6 min), 2 at a time.',
    )
    const control = { ...SAMPLE_AGENT, kind: 'control' as const, modelRequested: null }
    expect(describePlan(ask({ plan: draft({ subject: control }) }))).toContain(
      'The cost is unknown; the duration is unknown.',
    )
  })
})

describe('previousEpisode', () => {
  it('leaves out what was not scored or is no envelope', () => {
    expect(previousEpisode(null)).toBeNull()
    expect(previousEpisode({ taskId: 'a' })).toBeNull()
  })
})
