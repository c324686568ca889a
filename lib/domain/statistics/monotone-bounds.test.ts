import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import { boundedMeanInterval, clopperPearsonInterval } from './intervals.ts'
import { pairedDifference } from './paired-difference.ts'
import { rowInterval } from './row-interval.ts'
import type { TaskCounts } from './task-counts.ts'

const bounds = (tallies: readonly TaskCounts[]) => {
  const result = rowInterval(tallies)
  if (!result.ok) throw new Error(result.refusal.reason)
  return result.value
}
const compare = (a: readonly TaskCounts[], b: readonly TaskCounts[], alpha = 0.05) => {
  const result = pairedDifference(a, b, alpha)
  if (!result.ok) throw new Error(result.refusal.reason)
  return result.value
}
const row = (scored: readonly number[], solved: readonly number[]): TaskCounts[] =>
  solved.map((count, task) => ({
    taskId: String(task).padStart(3, '0'),
    solved: Math.min(count, scored[task] as number),
    scored: scored[task] as number,
  }))
const even = (tasks: number, scored: number, solved: number) =>
  row(
    Array(tasks).fill(scored),
    Array.from({ length: tasks }, (_, task) =>
      Math.max(0, Math.min(scored, solved - task * scored)),
    ),
  )

/** Repetitions of 1 to 30 tasks, equal or not, and two rows on them; rates of all sizes, including the extremes. */
const design = fc
  .record({
    tasks: fc.integer({ min: 1, max: 30 }),
    repetitions: fc.constantFrom(1, 2, 3, 5, 10, 20),
    uneven: fc.boolean(),
  })
  .chain(({ tasks, repetitions, uneven }) => {
    const list = (value: fc.Arbitrary<number>) =>
      fc.array(value, { minLength: tasks, maxLength: tasks })
    const count = fc.oneof(fc.nat(repetitions), fc.constantFrom(0, repetitions, repetitions))
    const scored = uneven ? fc.integer({ min: 1, max: repetitions }) : fc.constant(repetitions)
    return fc.record({ scored: list(scored), a: list(count), b: list(count) })
  })

/** Returns every row that has one more success. */
function oneMore(tallies: readonly TaskCounts[]): TaskCounts[][] {
  return tallies.flatMap((tally, index) =>
    tally.solved < tally.scored
      ? [tallies.with(index, { ...tally, solved: tally.solved + 1 })]
      : [],
  )
}

describe('one more success', () => {
  it('never lowers a bound of a row, for tasks like these or for these tasks', () => {
    fc.assert(
      fc.property(design, ({ scored, a }) => {
        const before = bounds(row(scored, a))
        for (const better of oneMore(row(scored, a))) {
          const after = bounds(better)
          expect(after.low).toBeGreaterThanOrEqual(before.low)
          expect(after.high).toBeGreaterThanOrEqual(before.high)
          expect(after.theseTasks.low).toBeGreaterThanOrEqual(before.theseTasks.low)
          expect(after.theseTasks.high).toBeGreaterThanOrEqual(before.theseTasks.high)
        }
      }),
      { numRuns: countDraws(300, 60), seed: 31 },
    )
  })

  it('of A never lowers a bound of A − B, at any level', () => {
    fc.assert(
      fc.property(design, fc.constantFrom(0.05, 0.2, 0.002), ({ scored, a, b }, alpha) => {
        const [left, right] = [row(scored, a), row(scored, b)]
        const before = compare(left, right, alpha)
        for (const better of oneMore(left).slice(0, 8)) {
          const after = compare(better, right, alpha)
          expect(after.low).toBeGreaterThanOrEqual(before.low)
          expect(after.high).toBeGreaterThanOrEqual(before.high)
        }
      }),
      { numRuns: countDraws(200, 40), seed: 32 },
    )
  })

  it('never steps down on the way from none solved to all, one episode after the other', () => {
    for (const [tasks, repetitions] of [
      [25, 10],
      [40, 1],
      [12, 20],
    ] as const) {
      let before = bounds(even(tasks, repetitions, 0))
      for (let solved = 1; solved <= tasks * repetitions; solved++) {
        const after = bounds(even(tasks, repetitions, solved))
        expect(after.low).toBeGreaterThanOrEqual(before.low)
        expect(after.high).toBeGreaterThanOrEqual(before.high)
        before = after
      }
    }
  })
})

describe('the two intervals of a row', () => {
  it('are Clopper and Pearson’s where every task is tried once', () => {
    for (const [solved, tasks] of [
      [0, 40],
      [7, 12],
      [39, 40],
      [100, 100],
    ] as const) {
      const exact = clopperPearsonInterval(solved, tasks)
      const { low, high, theseTasks } = bounds(even(tasks, 1, solved))
      if (!exact.ok) throw new Error(exact.refusal.reason)
      for (const interval of [{ low, high }, theseTasks]) {
        expect(interval.low).toBeCloseTo(exact.value.low, 10)
        expect(interval.high).toBeCloseTo(exact.value.high, 10)
      }
    }
  })

  it('agree with numbers worked out by hand: the quantile of one and of two random weights', () => {
    // One value v: the mean is u·v with u uniform. Two values v, v: (1 - w)·v with 1 - w = √u.
    const one = boundedMeanInterval({ values: [0.6], floor: 0, ceiling: 1 }, 0.95)
    expect(one.low).toBeCloseTo(0.025 * 0.6, 10)
    expect(one.high).toBeCloseTo(1 - 0.025 * 0.4, 10)
    const two = boundedMeanInterval({ values: [0.6, 0.6], floor: 0, ceiling: 1 }, 0.95)
    expect(two.low).toBeCloseTo(Math.sqrt(0.025) * 0.6, 10)
    // Values 0.5 and 1: the mean is at most q, below both, with chance q² / (0.5 · 1).
    const mixed = boundedMeanInterval({ values: [0.5, 1], floor: 0, ceiling: 1 }, 0.95)
    expect(mixed.low).toBeCloseTo(Math.sqrt(0.025 * 0.5), 10)
  })

  it('do not jump at the edges', () => {
    const [all, most] = [bounds(even(25, 10, 250)), bounds(even(25, 10, 249))]
    expect(all.low).toBeCloseTo(0.025 ** (1 / 25), 10)
    expect(all.low - most.low).toBeLessThan(0.01)
    expect(most.high).toBeGreaterThan(0.99)
    const equal = row(Array(25).fill(10), Array(25).fill(5))
    const nearly = row(Array(25).fill(10), [6, ...Array(24).fill(5)])
    expect(Math.abs(bounds(equal).low - bounds(nearly).low)).toBeLessThan(0.005)
  })

  it('hold one within the other, and tell variance within tasks from variance between them', () => {
    fc.assert(
      fc.property(design, ({ scored, a }) => {
        const { low, high, rate, theseTasks } = bounds(row(scored, a))
        expect(theseTasks.low).toBeGreaterThanOrEqual(low)
        expect(theseTasks.high).toBeLessThanOrEqual(high)
        expect(theseTasks.low <= rate + 1e-9 && rate <= theseTasks.high + 1e-9).toBe(true)
      }),
      { numRuns: countDraws(300, 60), seed: 33 },
    )
    const split = bounds(row(Array(20).fill(10), [...Array(10).fill(0), ...Array(10).fill(10)]))
    expect(split.variance).toEqual({ within: 0, between: expect.closeTo(0.25 * (20 / 19), 10) })
    expect(split.theseTasks.high - split.theseTasks.low).toBeLessThan((split.high - split.low) / 5)
    expect(bounds(even(20, 1, 7)).variance).toBeNull()
  })

  it('say so where tasks are few', () => {
    expect(bounds(even(11, 10, 70)).method).toContain(
      'few tasks: one task moves the rate by up to 9 points',
    )
    expect(bounds(even(12, 10, 70)).method).not.toContain('few tasks')
  })
})

describe('row and pair', () => {
  it('agree about rows that differ in one episode or in none', () => {
    const [all, most] = [even(25, 10, 250), even(25, 10, 249)]
    const [same, other] = [compare(all, all), compare(all, most)]
    expect(same.verdict.kind).toBe(other.verdict.kind)
    expect(same.high).toBeCloseTo(1 - 0.025 ** (1 / 25), 10)
    expect(same.low).toBe(-same.high)
    expect(other.high - same.high).toBeGreaterThan(0)
    expect(other.high - same.high).toBeLessThan(0.01)
    const many = [even(100, 10, 1000), even(100, 10, 999)] as const
    expect(compare(many[0], many[0]).verdict.text).toBe('no difference larger than 4 points')
    expect(compare(many[0], many[1]).verdict.text).toBe('no difference larger than 4 points')
  })

  it('at the edges: nothing solved, everything solved, and one against the other', () => {
    const [all, none] = [even(25, 10, 250), even(25, 10, 0)]
    expect(compare(none, none)).toMatchObject({ difference: 0, p: 1 })
    const far = compare(all, none)
    expect(far).toMatchObject({ difference: 1, high: 1, verdict: { kind: 'better' } })
    expect(far.low).toBeGreaterThan(0.7)
  })
})
