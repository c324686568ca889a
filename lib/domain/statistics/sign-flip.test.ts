import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactMcNemar } from './paired-difference.ts'
import {
  boundSignFlip,
  differenceLattice,
  enumeratedSignFlip,
  exactSignFlip,
  type MeanPair,
  randomSignFlip,
  signFlipTest,
  signPatterns,
} from './sign-flip.ts'
import { enumeratedCurve, randomCurve, signFlipCurve } from './sign-flip-curve.ts'

const trials = (most: number) =>
  fc
    .integer({ min: 1, max: most })
    .chain((scored) =>
      fc.record({ solved: fc.integer({ min: 0, max: scored }), scored: fc.constant(scored) }),
    )
const pairsOf = (most: number, longest: number) =>
  fc.array(fc.record({ a: trials(most), b: trials(most) }), { minLength: 1, maxLength: longest })

const differences = (pairs: readonly MeanPair[]) =>
  pairs.map(({ a, b }) => a.solved / a.scored - b.solved / b.scored)

/** Where no work at all is allowed, there is nothing but the bound. */
const boundBelow = (values: readonly number[]) => boundSignFlip(values, 0).p

/** Every pattern, one by one: slow and plain. */
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
  it('agrees with plain enumeration, however it counts', () => {
    fc.assert(
      fc.property(pairsOf(12, 10), (pairs) => {
        const expected = bruteForce(differences(pairs))
        const lattice = differenceLattice(pairs)
        if (lattice) expect(exactSignFlip(lattice.units)).toBeCloseTo(expected, 10)
        expect(enumeratedSignFlip(differences(pairs))).toBeCloseTo(expected, 10)
        expect(enumeratedCurve(differences(pairs))(0)).toBeCloseTo(expected, 10)
        expect(signFlipTest(pairs).p).toBeCloseTo(expected, 10)
        expect(signFlipCurve(pairs).pAt(0)).toBeCloseTo(expected, 10)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  it('bounds the exact p from below, closely where the differences are of a size', () => {
    fc.assert(
      fc.property(pairsOf(40, 12), (pairs) => {
        expect(boundBelow(differences(pairs))).toBeLessThanOrEqual(
          bruteForce(differences(pairs)) + 1e-9,
        )
      }),
      { numRuns: 200, seed: 4 },
    )
    const even = Array.from({ length: 25 }, (_, index) => (index < 14 ? 1 : -1))
    expect(exactSignFlip(even)).toBeCloseTo(0.69, 2)
    expect(boundBelow(even)).toBeGreaterThan(0.4)
    const tiny = [1, ...Array(5).fill(1e-6)]
    expect(boundBelow(tiny)).toBeLessThanOrEqual(2 / 64)
  })

  it('counts the same curve on the lattice as subset by subset, for every shift', () => {
    fc.assert(
      fc.property(pairsOf(6, 9), fc.integer({ min: -996, max: 996 }), (pairs, shift) => {
        const delta = shift / 997
        const shifted = differences(pairs).map((value) => value - delta)
        expect(signFlipCurve(pairs).pAt(delta)).toBeCloseTo(bruteForce(shifted), 8)
        expect(enumeratedCurve(differences(pairs))(delta)).toBeCloseTo(bruteForce(shifted), 8)
      }),
      { numRuns: 200, seed: 2 },
    )
  })

  it('is the exact McNemar test for one repetition a task', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), fc.nat(30), (aOnly, bOnly, both) => {
        const units = [...Array(aOnly).fill(1), ...Array(bOnly).fill(-1), ...Array(both).fill(0)]
        const mcNemar = exactMcNemar(aOnly, bOnly)
        expect(mcNemar.ok && mcNemar.value.exactP).toBeCloseTo(exactSignFlip(units) as number, 10)
      }),
      { numRuns: 100, seed: 3 },
    )
  })

  it('comes near the exact p by chance, with seed, and never answers 0', () => {
    const values = [0.3, -0.1, 0.2, 0.4, 0.1, -0.2, 0.3, 0.1, 0.05, 0.15, -0.05, 0.2]
    const exact = enumeratedSignFlip(values)
    const options = { patterns: 99_999, seed: 5 }
    expect(randomSignFlip(values, signPatterns(99_999, 5))).toBe(
      randomSignFlip(values, signPatterns(99_999, 5)),
    )
    expect(Math.abs(randomSignFlip(values, signPatterns(99_999, 5)) - exact)).toBeLessThan(0.003)
    expect(Math.abs(randomCurve(values, options)(0) - exact)).toBeLessThan(0.003)
    expect(randomSignFlip(Array(200).fill(1), signPatterns(999, 5))).toBe(0.001)
  })

  it('falls back to seeded chance for many tasks without a common step', () => {
    const primes = [7, 11, 13, 17, 19, 23, 29, 31]
    const pairs = Array.from({ length: 30 }, (_, index) => ({
      a: { solved: 3, scored: primes[index % 8] as number },
      b: { solved: 4, scored: primes[(index + 3) % 8] as number },
    }))
    expect(differenceLattice(pairs)).toBeNull()
    expect(signFlipTest(pairs).seed).not.toBeNull()
    expect(signFlipCurve(pairs).method).toContain('99,999 random patterns, seed')
    expect(Math.abs(signFlipTest(pairs).p - signFlipCurve(pairs).pAt(0))).toBeLessThan(0.02)
  })
})
