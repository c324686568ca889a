import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import { ask, draft, suite } from '#lib/testing/factories/plan-question.ts'
import { SAMPLE_AGENT, SAMPLE_SETTINGS } from '#lib/testing/factories/sample-run.ts'
import type { PlanDraft } from '../record/index.ts'
import {
  ASSUMED_VARIANCES,
  detectableByMcNemar,
  detectableDifference,
  simulatedPower,
} from '../statistics/index.ts'
import { describePlan } from './describe-plan.ts'
import type { PreviousRow } from './find-power.ts'

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

  it('never gives a figure that is not a number', () => {
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
  })
})

describe('explainPlan: the evidence rules', () => {
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
