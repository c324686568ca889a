import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { successRate } from '../board/index.ts'
import { benjaminiHochberg, holm } from './adjusted-p-values.ts'
import { costPerSuccess } from './cost-per-success.ts'
import { sampleQuantile } from './distributions.ts'
import { clopperPearsonInterval, wilsonInterval } from './intervals.ts'
import {
  ASSUMED_VARIANCES,
  detectableByMcNemar,
  detectableDifference,
  expectedHalfWidth,
  mcNemarPower,
  tasksNeeded,
} from './plan-power.ts'
import { meanPassK, passK } from './reliability-curve.ts'
import { estimateDifferenceVariance, estimateVariances, rowInterval } from './row-interval.ts'
import { voidSensitivity } from './sensitivity.ts'
import type { StatisticResult } from './statistic-result.ts'
import type { TaskCounts } from './task-counts.ts'

const code = (result: StatisticResult<unknown>) => (result.ok ? null : result.refusal.code)
const tally = (solved: number, scored: number, voids = 0): TaskCounts => {
  return { taskId: `t${solved}-${scored}-${voids}`, solved, scored, voids }
}

/** Fails on any number in a value that is not finite. */
function expectFinite(value: unknown): void {
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectFinite)
}

describe('rowInterval', () => {
  it('names what it did at the edges', () => {
    expect(code(rowInterval([]))).toBe('no-tasks')
    expect(code(rowInterval([tally(0, 0, 4)]))).toBe('no-scored-episodes')
    expect(code(rowInterval([tally(Number.NaN, 4)]))).toBe('not-a-number')
    const one = rowInterval([tally(5, 10)])
    expect(one.ok && one.value.method).toContain('Wilson on the repetitions of one task')
    const uneven = rowInterval([tally(1, 2), tally(3, 5), tally(0, 1)])
    expect(uneven.ok && uneven.value.method).toContain('equal task weights')
    const equal = rowInterval(
      [1, 2, 3].map((task) => ({ taskId: `${task}`, solved: 1, scored: 2 })),
    )
    expect(equal.ok && equal.value).toMatchObject({
      rate: 0.5,
      method: expect.stringContaining('bounded mean of 3 tasks'),
    })
    expect(equal.ok && equal.value.low).toBeLessThan(0.2)
  })

  it('says why a rate is missing instead of showing NaN', () => {
    const method = 'No scored episodes: all are excluded, cancelled or missing.'
    expect(successRate([tally(0, 0, 3)])).toEqual({
      rate: null,
      low: null,
      high: null,
      method,
      tasks: 0,
      attempts: 0,
      voids: 3,
    })
  })

  it('is the same whatever the order, inside 0–1, around the rate', () => {
    const tallies = fc.array(
      fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(tallies, (counts) => {
        const rows = counts.map(([solved, scored], task) => ({ taskId: `${task}`, solved, scored }))
        const [plain, reversed] = [rowInterval(rows), rowInterval([...rows].reverse())]
        expect(reversed).toEqual(plain)
        if (!plain.ok) return
        expectFinite(plain.value)
        const { low, rate, high } = plain.value
        expect(low >= 0 && high <= 1 && low <= rate + 1e-12 && rate <= high + 1e-12).toBe(true)
      }),
      { numRuns: 300, seed: 21 },
    )
  })
})

describe('every statistic', () => {
  it('answers with finite numbers or a named refusal, whatever it is given', () => {
    const odd = fc.oneof(fc.constantFrom(Number.NaN, -1, 0, 1, 2.5, Infinity, 1e300), fc.nat(50))
    const oddTally = fc.record({
      taskId: fc.string({ maxLength: 2 }),
      solved: odd,
      scored: odd,
      voids: odd,
    })
    const counts = fc.oneof(
      fc.array(oddTally, { maxLength: 5 }),
      fc.constant([tally(1, 2), tally(2, 2)]),
    )
    fc.assert(
      fc.property(counts, odd, odd, odd, (tallies, x, y, z) => {
        const design = {
          tasks: x,
          repetitionsA: y,
          repetitionsB: z,
          alpha: 0.05,
          power: 0.8,
        }
        const variances = { wSquared: z / 10, sSquaredA: y / 10, sSquaredB: 0.1 }
        const spending = tallies.map(({ taskId, solved, scored }) => ({
          taskId,
          spent: scored,
          solved,
        }))
        const answers: StatisticResult<unknown>[] = [
          rowInterval(tallies),
          voidSensitivity(tallies),
          meanPassK(tallies, x),
          passK(x, y, z),
          wilsonInterval(x, y),
          clopperPearsonInterval(x, y),
          benjaminiHochberg([x, y, z]),
          holm([x, y, z]),
          costPerSuccess(spending, { seed: 1, resamples: 20, level: 0.95 }),
          detectableDifference({ ...design, ...variances }),
          tasksNeeded(x, { ...design, ...variances }),
          expectedHalfWidth({ tasks: x, repetitions: y, vSquared: z, sSquared: 0.1, level: 0.95 }),
          estimateVariances(tallies),
          estimateDifferenceVariance(tallies, tallies),
        ]
        for (const result of answers) {
          if (result.ok) expectFinite(result.value)
          else expect(result.refusal.reason).toMatch(/\.$/)
        }
      }),
      { numRuns: 300, seed: 22 },
    )
  })
})

describe('passK', () => {
  it('refuses k > n and k < 1 by name, per task by its name', () => {
    expect(code(passK(5, 2, 6))).toBe('k-exceeds-n')
    expect(code(passK(5, 2, 0))).toBe('k-out-of-range')
    const mean = meanPassK([tally(1, 2), tally(1, 4)], 3)
    expect(!mean.ok && mean.refusal.reason).toBe(
      'Task t1-2-0: k = 3 needs 3 attempts, but there are 2.',
    )
  })

  it('is the success rate for k = 1, grows for pass@k and falls for pass^k', () => {
    const cases = fc.tuple(fc.integer({ min: 2, max: 40 }), fc.nat(40)).filter(([n, c]) => c <= n)
    fc.assert(
      fc.property(cases, ([n, c]) => {
        const all = Array.from({ length: n }, (_, index) => passK(n, c, index + 1))
        const values = all.flatMap((result) => (result.ok ? [result.value] : []))
        expect(values[0]?.passAtK).toBeCloseTo(c / n, 12)
        expect(values[0]?.passHatK).toBeCloseTo(c / n, 12)
        for (let k = 1; k < n; k++) {
          expect(values[k]?.passAtK).toBeGreaterThanOrEqual((values[k - 1]?.passAtK ?? 0) - 1e-12)
          expect(values[k]?.passHatK).toBeLessThanOrEqual((values[k - 1]?.passHatK ?? 1) + 1e-12)
        }
      }),
      { numRuns: 100, seed: 23 },
    )
  })
})

describe('costPerSuccess', () => {
  const options = { seed: 3, resamples: 500, level: 0.95 }

  it('is all spending over all successes, with a seeded interval around it', () => {
    const tasks = Array.from({ length: 30 }, (_, task) => ({
      taskId: `${task}`,
      spent: 100 + task,
      solved: task % 4,
    }))
    const result = costPerSuccess(tasks, options)
    if (!result.ok) throw new Error(result.refusal.reason)
    expect(result.value.value).toBeCloseTo(3435 / 43, 10)
    expect(result.value.low).toBeLessThan(result.value.value)
    expect(result.value.high).toBeGreaterThan(result.value.value)
    expect(result.value).toMatchObject({ seed: 3, resamples: 500, tasks: 30, solved: 43 })
    expect(costPerSuccess([...tasks].reverse(), options)).toEqual(result)
  })

  it('says no success, unknown cost, and no upper bound', () => {
    expect(code(costPerSuccess([{ taskId: 'a', spent: 5, solved: 0 }]))).toBe('no-success')
    expect(code(costPerSuccess([{ taskId: 'a', spent: null, solved: 1 }]))).toBe('unknown-cost')
    const rare = [1, 0, 0, 0].map((solved, task) => ({ taskId: `${task}`, spent: 8, solved }))
    const result = costPerSuccess(rare, options)
    expect(result.ok && result.value).toMatchObject({ value: 32, high: null })
  })
})

describe('planner', () => {
  it('finds by the exact test what one repetition can detect, and says when nothing can be', () => {
    const design = { tasks: 100, ...ASSUMED_VARIANCES, alpha: 0.05, power: 0.8 }
    const found = detectableByMcNemar(design)
    const byFormula = detectableDifference({ ...design, repetitionsA: 1, repetitionsB: 1 })
    expect(found.ok && byFormula.ok && Math.abs(found.value - byFormula.value)).toBeLessThan(0.03)
    expect(code(detectableByMcNemar({ ...design, tasks: 5 }))).toBe('out-of-reach')
    expect(mcNemarPower({ p10: 0, p01: 0, tasks: 10, alpha: 0.05 })).toEqual({ ok: true, value: 0 })
  })

  it('tells spread over tasks from chance within a task', () => {
    const tasks = Array.from({ length: 400 }, (_, task) => ({
      taskId: `${task}`,
      solved: task % 2 ? 9 : 1,
      scored: 10,
    }))
    const result = estimateVariances(tasks)
    expect(result.ok && result.value.sSquared).toBeCloseTo(0.1, 10)
    expect(result.ok && result.value.vSquared).toBeCloseTo(0.16 * (400 / 399) - 0.01, 10)
    expect(code(estimateVariances([tally(1, 1), tally(0, 1)]))).toBe('out-of-reach')
  })
})

describe('quantile', () => {
  it('interpolates, and knows no sample', () => {
    expect(sampleQuantile([4, 1, 3, 2], 0.5)).toBe(2.5)
    expect(sampleQuantile([7], 0.95)).toBe(7)
    expect(sampleQuantile([], 0.5)).toBeNull()
  })
})
