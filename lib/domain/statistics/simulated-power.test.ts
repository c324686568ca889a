import { describe, expect, it } from 'vitest'
import { ASSUMED_VARIANCES, detectableByMcNemar } from './plan-power.ts'
import { seededGenerator } from './seeded-generator.ts'
import {
  chanceModel,
  detectableBySimulation,
  drawSolved,
  simulatedPower,
} from './simulated-power.ts'

const design = (tasks: number, repetitions: number) => ({
  tasks,
  repetitionsA: repetitions,
  repetitionsB: repetitions,
  ...ASSUMED_VARIANCES,
  alpha: 0.05,
  power: 0.8,
})

describe('simulated power', () => {
  it.each([
    [0, ASSUMED_VARIANCES],
    [0.3, ASSUMED_VARIANCES],
    [0.1, { wSquared: 0.02, sSquaredA: 0.05, sSquaredB: 0.12 }],
  ])('draws chances that differ by %f and vary as the design says', (difference, variances) => {
    const draw = chanceModel(difference, variances)
    const generator = seededGenerator(1)
    const rounds = 100_000
    const sums = { d: 0, dd: 0, a: 0, b: 0 }
    for (let round = 0; round < rounds; round++) {
      const { a, b } = draw(generator)
      sums.d += a - b
      sums.dd += (a - b) ** 2
      sums.a += a * (1 - a)
      sums.b += b * (1 - b)
    }
    const mean = sums.d / rounds
    expect(mean).toBeCloseTo(difference, 2)
    expect(sums.dd / rounds - mean ** 2).toBeCloseTo(variances.wSquared, 2)
    expect(sums.a / rounds).toBeCloseTo(variances.sSquaredA, 2)
    expect(sums.b / rounds).toBeCloseTo(variances.sSquaredB, 2)
  })

  it('spreads chances evenly between 0 and 1 by default', () => {
    const draw = chanceModel(0, ASSUMED_VARIANCES)
    const generator = seededGenerator(2)
    const counts = [0, 0, 0, 0, 0]
    for (let round = 0; round < 50_000; round++) {
      const fifth = Math.min(4, Math.floor(5 * draw(generator).a))
      counts[fifth] = (counts[fifth] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count / 10_000 - 1)).toBeLessThan(0.03)
  })

  it('counts successes as the binomial distribution does', () => {
    const generator = seededGenerator(3)
    for (const [trials, chance] of [
      [1, 0.3],
      [10, 0.8],
      [20, 0.02],
    ] as const) {
      const draws = Array.from({ length: 40_000 }, () => drawSolved(trials, chance, generator))
      const mean = draws.reduce((sum, one) => sum + one, 0) / draws.length
      const spread = draws.reduce((sum, one) => sum + (one - mean) ** 2, 0) / draws.length
      expect(Math.abs(mean / (trials * chance) - 1)).toBeLessThan(0.03)
      expect(Math.abs(spread / (trials * chance * (1 - chance)) - 1)).toBeLessThan(0.05)
    }
    expect([0, 1].map((chance) => drawSolved(7, chance, generator))).toEqual([0, 7])
  })

  it('agrees with the exact test, summed, where both can be had', () => {
    const exact = detectableByMcNemar(design(30, 1))
    const value = exact.ok ? exact.value : 0
    const power = simulatedPower(value, design(30, 1), { rounds: 20_000, seed: 4 })
    expect(Math.abs(power - 0.8)).toBeLessThan(0.012)
  })

  it('gives a false alarm in at most the level, where there is no difference', () => {
    expect(simulatedPower(0, design(25, 3), { rounds: 20_000, seed: 5 })).toBeLessThan(0.053)
  })

  it('refuses what no test can find, and falls back to the formula beyond its size', () => {
    expect(detectableBySimulation({ ...design(5, 10), alpha: 0.05 })).toMatchObject({
      ok: false,
      refusal: { code: 'out-of-reach' },
    })
    expect(detectableBySimulation({ ...design(12, 1), alpha: 0.0001 })).toMatchObject({ ok: false })
    const large = detectableBySimulation(design(1000, 10))
    expect(large.ok && large.value).toBeCloseTo(0.03367, 4)
  })
})
