import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wilsonInterval } from './intervals.ts'
import { MAX_POINTS, meanPassK, reliabilityCurve } from './reliability-curve.ts'
import { rowInterval } from './row-interval.ts'
import type { TaskCounts } from './task-counts.ts'

const tally = (taskId: string, solved: number, scored: number): TaskCounts => ({
  taskId,
  solved,
  scored,
})

function pointsOf(tallies: readonly TaskCounts[]) {
  const curve = reliabilityCurve(tallies)
  if (!curve.ok) throw new Error(curve.refusal.reason)
  return curve.value.points
}

describe('reliabilityCurve', () => {
  it('is the mean over tasks of C(c,k)/C(n,k)', () => {
    // Task b: C(2,2)/C(4,2) = 1/6, and nothing beyond two.
    const points = pointsOf([tally('a', 4, 4), tally('b', 2, 4)])
    expect(points.map(({ k }) => k)).toEqual([1, 2, 3, 4])
    const expected = [3 / 4, (1 + 1 / 6) / 2, 1 / 2, 1 / 2]
    for (const [place, rate] of expected.entries())
      expect(points[place]?.rate).toBeCloseTo(rate, 11)
  })

  it('begins with the row’s own rate and interval', () => {
    const tallies = Array.from({ length: 14 }, (_, place) => tally(`t${place}`, place % 4, 3))
    const row = rowInterval(tallies)
    expect(row.ok).toBe(true)
    const { rate, low, high } = row.ok ? row.value : { rate: 0, low: 0, high: 0 }
    expect(pointsOf(tallies)[0]).toEqual({ k: 1, rate, low, high })
    const curve = reliabilityCurve(tallies)
    expect(curve.ok && curve.value.method).toMatch(/; that of the first point is the entry’s own$/)
  })

  it('leaves an unseen task at the worst even where every try was solved', () => {
    const points = pointsOf(Array.from({ length: 12 }, (_, place) => tally(`t${place}`, 5, 5)))
    for (const { rate, low, high } of points) {
      expect([rate, high]).toEqual([1, 1])
      expect(low).toBeCloseTo(0.025 ** (1 / 12), 9)
    }
  })

  it('goes as far as the task with the fewest repetitions, void ones left out', () => {
    const points = pointsOf([tally('a', 5, 5), tally('b', 1, 2), tally('void', 0, 0)])
    expect(points.map(({ k }) => k)).toEqual([1, 2])
    expect(points[1]?.rate).toBeCloseTo(1 / 2, 12)
  })

  it('says nothing where a task was tried once, or nothing was scored', () => {
    const once = reliabilityCurve([tally('a', 5, 5), tally('b', 1, 1)])
    expect(once).toMatchObject({ ok: false, refusal: { code: 'k-out-of-range' } })
    expect(reliabilityCurve([])).toMatchObject({ ok: false, refusal: { code: 'no-tasks' } })
    expect(reliabilityCurve([tally('a', 0, 0)])).toMatchObject({
      ok: false,
      refusal: { code: 'no-scored-episodes' },
    })
  })

  it('takes Wilson’s bounds to the power of k for one task', () => {
    const wilson = wilsonInterval(3, 4)
    const { low, high } = wilson.ok ? wilson.value : { low: 0, high: 0 }
    const [, two] = pointsOf([tally('a', 3, 4)])
    expect(two?.rate).toBeCloseTo(1 / 2, 12)
    expect(two?.low).toBeCloseTo(low ** 2, 10)
    expect(two?.high).toBeCloseTo(high ** 2, 10)
  })

  it('has ten points at most, the first and the last k among them', () => {
    const points = pointsOf([tally('a', 900, 1000), tally('b', 1000, 1000)])
    expect(points).toHaveLength(MAX_POINTS)
    expect(points.map(({ k }) => k)).toEqual([1, 112, 223, 334, 445, 556, 667, 778, 889, 1000])
    expect(pointsOf([tally('a', 9, 10)])).toHaveLength(10)
  })

  it('never rises with k, holds its rate, and never falls when a try is solved', () => {
    const counts = fc
      .integer({ min: 2, max: 6 })
      .chain((scored) =>
        fc
          .array(fc.integer({ min: 0, max: scored }), { minLength: 2, maxLength: 9 })
          .map((solved) => solved.map((count, place) => tally(`t${place}`, count, scored))),
      )
    fc.assert(
      fc.property(counts, fc.nat(), (tallies, pick) => {
        const points = pointsOf(tallies)
        for (const [place, { rate, low, high }] of points.entries()) {
          expect(low).toBeLessThanOrEqual(rate)
          expect(high).toBeGreaterThanOrEqual(rate)
          const before = points[place - 1]
          if (!before) continue
          expect(rate).toBeLessThanOrEqual(before.rate + 1e-12)
          expect(low).toBeLessThanOrEqual(before.low + 1e-12)
          expect(high).toBeLessThanOrEqual(before.high + 1e-12)
        }
        const chosen = pick % tallies.length
        const better = tallies.map((one, place) =>
          place === chosen && one.solved < one.scored ? { ...one, solved: one.solved + 1 } : one,
        )
        for (const [place, point] of pointsOf(better).entries()) {
          expect(point.low).toBeGreaterThanOrEqual((points[place]?.low ?? 0) - 1e-12)
          expect(point.high).toBeGreaterThanOrEqual((points[place]?.high ?? 0) - 1e-12)
        }
      }),
      { numRuns: 60 },
    )
  })
})

/**
 * Solved trials of four for each of the 50 airline tasks, in the order of their ids: the rewards of
 * `historical_trajectories/gpt-4o-airline.json` in github.com/sierra-research/tau-bench at 59a200c (MIT, © 2024 Sierra).
 */
const SOLVED_OF_4 = '01100111000142021140430040220122003443413241222144'
const tallies = [...SOLVED_OF_4].map((solved, index) => ({
  taskId: `task-${index}`,
  solved: Number(solved),
  scored: 4,
  voids: 0,
}))

/** As printed by the leaderboard in that repository's README. */
const PUBLISHED = ['0.420', '0.273', '0.220', '0.200']

describe('pass^k of gpt-4o on tau-bench airline', () => {
  it.each(PUBLISHED.map((figure, index) => [index + 1, figure] as const))(
    'pass^%i is the published %s',
    (k, figure) => {
      const found = meanPassK(tallies, k)
      expect(found.ok && found.value.passHatK.toFixed(3)).toBe(figure)
    },
  )

  it('is refused for more tries than were made', () => {
    const found = meanPassK(tallies, 5)
    expect(found.ok ? null : found.refusal.code).toBe('k-exceeds-n')
  })
})
