import { describe, expect, it } from 'vitest'
import { type ChangePair, moverDifference, testChanges } from './change-test.ts'
import { normalQuantile } from './distributions.ts'
import { wilsonInterval } from './intervals.ts'
import { compareRows } from './paired-difference.ts'
import { seededGenerator } from './seeded-generator.ts'
import { drawSolved, normal, normalCumulative } from './simulated-power.ts'
import type { TaskCounts } from './task-counts.ts'

const row = (solved: readonly number[], scored: number, prefix = 't'): TaskCounts[] =>
  solved.map((count, task) => ({
    taskId: `${prefix}${String(task).padStart(2, '0')}`,
    solved: count,
    scored,
  }))

const pair = (before: TaskCounts[], after: TaskCounts[], isPaired: boolean): ChangePair => ({
  before: { tallies: before },
  after: { tallies: after },
  isPaired,
})

function only(change: ChangePair) {
  const [result] = testChanges([change]).results
  if (!result?.ok) throw new Error('the change could not be tested')
  return result
}

function wilson([solved = 0, scored = 1]: readonly number[]) {
  const result = wilsonInterval(solved, scored)
  if (!result.ok) throw new Error('no interval')
  return { rate: solved / scored, ...result.value }
}

describe('the difference of two rates from their intervals', () => {
  // Newcombe (1998), Statistics in Medicine 17: 873–890, table II, method 10.
  it.each([
    { a: [56, 70], b: [48, 80], low: 0.0524, high: 0.3339 },
    { a: [9, 10], b: [3, 10], low: 0.1705, high: 0.809 },
    { a: [5, 56], b: [0, 29], low: -0.0381, high: 0.1926 },
    { a: [10, 10], b: [0, 20], low: 0.6791, high: 1 },
  ] as const)('gives the published values for $a and $b', ({ a, b, low, high }) => {
    const found = moverDifference(wilson(a), wilson(b))
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })
})

describe('a change of one entry', () => {
  const earlier = row([5, 5, 5, 4, 5, 5, 4, 5, 5, 5, 5, 4], 5)
  const later = row([1, 0, 2, 1, 0, 1, 0, 2, 1, 0, 1, 1], 5)

  it('is the comparison of the two rows where the tasks are the same', () => {
    const { value, adjustedP } = only(pair(earlier, later, true))
    const [compared] = compareRows([
      { key: 'a', tallies: later },
      { key: 'b', tallies: earlier },
    ]).pairs
    const expected = compared?.result.ok ? compared.result : null
    expect(adjustedP).toBe(expected?.adjustedP)
    // All twelve signs agree: two of 2^12 patterns.
    expect(adjustedP).toBeCloseTo(2 / 2 ** 12, 12)
    expect(value).toMatchObject({ low: expected?.value.low, high: expected?.value.high })
    expect(value.high).toBeLessThan(0)
  })

  it('is tested by the intervals of both rates where the tasks differ, and p inverts the interval', () => {
    const changed = row([1, 0, 2, 1, 0, 1, 0, 2, 1, 0, 1, 1], 5, 'u')
    const { value, adjustedP } = only(pair(earlier, changed, false))
    expect(value.difference).toBeCloseTo(10 / 60 - 57 / 60, 12)
    expect(value.method).toContain('unpaired')
    expect(adjustedP).toBeLessThan(0.001)
    expect(value.high).toBeLessThan(0)
    const atP = testChanges([pair(earlier, changed, false)], value.p * 1.01).results[0]
    expect(atP?.ok && atP.value.high).toBeLessThan(0)
    const below = testChanges([pair(earlier, changed, false)], value.p * 0.99).results[0]
    expect(below?.ok && below.value.high).toBeGreaterThanOrEqual(0)
  })

  it('is nothing where the rates are equal, and refused without a scored episode', () => {
    expect(
      only(pair(earlier, row([5, 5, 5, 4, 5, 5, 4, 5, 5, 5, 5, 4], 5, 'u'), false)),
    ).toMatchObject({ adjustedP: 1, value: { difference: 0 } })
    const [refused] = testChanges([pair([], later, false)]).results
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'no-tasks' } })
  })

  it('costs more the more changes are tested, and the more often a row was looked at', () => {
    const slight = pair(row([4, 4, 4, 4, 4, 4, 4, 4], 5), row([3, 3, 2, 3, 3, 2, 3, 3], 5), true)
    expect(only(slight).adjustedP).toBeCloseTo(2 / 2 ** 8, 12)
    const same = Array.from({ length: 9 }, () => pair(earlier, earlier, true))
    const [first] = testChanges([slight, ...same]).results
    expect(first?.ok && first.adjustedP).toBeCloseTo(20 / 2 ** 8, 12)
    const watched = { ...slight, after: { ...slight.after, looks: { stages: 2, states: 1 } } }
    expect(only(watched).adjustedP).toBeCloseTo((2 * 3 * 2) / 2 ** 8, 12)
  })
})

describe('feeds of entries that did not change', () => {
  const ROUNDS = 200
  const CHANGES = 6
  const SLOW_MACHINE_MS = 60_000

  it.each([0.5, 0.95])(
    'call any of them changed in at most a twentieth of simulated feeds, at a mean of %d',
    (mean) => {
      const generator = seededGenerator(7001)
      let wrong = 0
      for (let round = 0; round < ROUNDS; round++) {
        const pairs = Array.from({ length: CHANGES }, (_, index) => quiet(index % 2 === 0))
        const { results, alpha } = testChanges(pairs)
        if (results.some((result) => result.ok && result.adjustedP <= alpha)) wrong++
      }
      expect(wrong / ROUNDS).toBeLessThanOrEqual(0.05)

      /** The same probabilities twice; for different tasks, those of other tasks of the same kind. */
      function quiet(isPaired: boolean): ChangePair {
        const chances = Array.from({ length: 12 }, drawTask)
        const others = isPaired ? chances : chances.map(drawTask)
        return pair(measure(chances), measure(others), isPaired)
      }

      /** Half of the variance of a task's success probability lies between tasks. */
      function drawTask(): number {
        return normalCumulative(Math.SQRT2 * normalQuantile(mean) + normal(generator))
      }

      function measure(chances: readonly number[]): TaskCounts[] {
        return row(
          chances.map((chance) => drawSolved(3, chance, generator)),
          3,
        )
      }
    },
    SLOW_MACHINE_MS,
  )

  it('find a change that is there', () => {
    const generator = seededGenerator(7002)
    const draws = (chance: number) =>
      row(
        Array.from({ length: 25 }, () => drawSolved(5, chance, generator)),
        5,
      )
    const changes = [true, false].map((isPaired) => pair(draws(0.85), draws(0.4), isPaired))
    for (const result of testChanges(changes).results)
      expect(result.ok && result.adjustedP).toBeLessThan(0.001)
  })
})
