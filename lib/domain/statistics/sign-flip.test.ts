import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairPValues } from './pair-p-values.ts'
import { pairedDifference } from './paired-difference.ts'
import { countPatterns, signFlip } from './sign-flip.ts'
import { SCORE_UNITS, type TaskCounts } from './task-counts.ts'
import { withoutVoids } from './void-readings.ts'

const trials = (max: number) =>
  fc
    .integer({ min: 1, max })
    .chain((scored) =>
      fc.record({ solved: fc.integer({ min: 0, max: scored }), scored: fc.constant(scored) }),
    )
const pairsOf = (max: number, longest: number) =>
  fc.array(fc.record({ a: trials(max), b: trials(max) }), { minLength: 1, maxLength: longest })
type Pairs = { a: Trials; b: Trials }[]
type Trials = { solved: number; scored: number }

const named = (tasks: readonly Trials[], family?: (task: number) => string): TaskCounts[] =>
  tasks.map((task, at) => ({
    ...task,
    taskId: `t${String(at).padStart(3, '0')}`,
    ...(family && { family: family(at) }),
  }))
const test = (pairs: Pairs, family?: (task: number) => string) =>
  signFlip(
    named(
      pairs.map(({ a }) => a),
      family,
    ),
    named(
      pairs.map(({ b }) => b),
      family,
    ),
  )
const differences = (pairs: Pairs) =>
  pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)

/** Enumerates every pattern: slow but obviously correct. */
function bruteForce(values: readonly number[]): number {
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  let extreme = 0
  for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
    const sum = values.reduce(
      (total, value, bit) => total + ((pattern >> bit) & 1 ? -value : value),
      0,
    )
    if (Math.abs(sum) >= observed - 1e-11) extreme++
  }
  return extreme / 2 ** values.length
}

describe('sign-flip test', () => {
  it('agrees with plain enumeration', () => {
    fc.assert(
      fc.property(pairsOf(12, 10), (pairs) => {
        expect(test(pairs).p).toBeCloseTo(bruteForce(differences(pairs)), 10)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  it('comes near the exact p where the differences have no common step', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: trials(400), b: trials(400) }), { minLength: 12, maxLength: 14 }),
        (pairs) => {
          expect(Math.abs(test(pairs).p - bruteForce(differences(pairs)))).toBeLessThan(0.005)
        },
      ),
      { numRuns: 40, seed: 2 },
    )
  })

  it('says the same to the last bit whatever tasks are called, in any order, from either side, on boards and in comparisons', () => {
    fc.assert(
      fc.property(
        pairsOf(400, 30),
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        (pairs, keys) => {
          const { p, lead, difference } = test(pairs)
          const shuffled = pairs
            .map((pair, at) => ({ pair, key: keys[at] as number }))
            .sort((x, y) => x.key - y.key)
            .map(({ pair }) => pair)
          const moved = test(shuffled)
          expect([moved.p, moved.lead, moved.difference]).toEqual([p, lead, difference])
          expect(moved.certified(0.05)).toBe(test(pairs).certified(0.05))
          const turned = test(pairs.map(({ a, b }) => ({ a: b, b: a })))
          expect([turned.p, turned.lead]).toEqual([p, 0 - lead])
          const [a, b] = [named(shuffled.map((one) => one.a)), named(shuffled.map((one) => one.b))]
          const compared = pairedDifference(b, a)
          expect(compared.ok && compared.value.p).toBe(p)
          expect(pairPValues([a, b].map(withoutVoids)).p[0]).toBe(p)
        },
      ),
      { numRuns: 150, seed: 3 },
    )
  })

  it('never finds a larger p after one more success of who leads', () => {
    fc.assert(
      fc.property(pairsOf(40, 20), (pairs) => {
        const before = test(pairs)
        if (before.lead <= 0) return
        const place = pairs.findIndex(({ a }) => a.solved < a.scored)
        if (place < 0) return
        const more = pairs.map((pair, at) =>
          at === place ? { ...pair, a: { ...pair.a, solved: pair.a.solved + 1 } } : pair,
        )
        expect(test(more).p).toBeLessThanOrEqual(before.p)
        expect(test(more).certified(0.05)).toBeGreaterThanOrEqual(before.certified(0.05))
      }),
      { numRuns: 150, seed: 4 },
    )
  })

  it('flips the tasks of a family together, once there are six families', () => {
    const one = { a: { solved: 2, scored: 2 }, b: { solved: 0, scored: 2 } }
    const pairs = Array.from({ length: 12 }, () => one)
    expect(test(pairs).p).toBe(2 ** -11)
    expect(test(pairs, (task) => `f${task % 6}`).p).toBe(2 ** -5)
    expect(test(pairs, (task) => `f${task % 5}`).p).toBe(2 ** -11)
  })

  it('counts two thousand tasks without an overflow', () => {
    const even = Float64Array.from({ length: 2_000 }, (_, at) => (at < 1_000 ? 1 : -1))
    expect(countPatterns(even)).toBe(1)
    const ahead = Float64Array.from({ length: 2_000 }, (_, at) => (at < 1_050 ? 1 : -1))
    // scipy.stats.binomtest(1050, 2000).pvalue
    expect(countPatterns(ahead)).toBeCloseTo(0.026824146240280546, 12)
  })

  it('takes no difference from rounding where the sums are equal', () => {
    const pairs = [
      { a: { solved: 1, scored: 3 }, b: { solved: 0, scored: 1 } },
      { a: { solved: 0, scored: 1 }, b: { solved: 2, scored: 6 } },
    ]
    expect(test(pairs)).toMatchObject({ p: 1, lead: 0, difference: 0 })
    expect(SCORE_UNITS % 6).toBe(0)
  })
})
