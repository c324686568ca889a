import { describe, expect, it } from 'vitest'
import { ARM_DESIGNS, simulateArms } from './simulate-arms.ts'

const few = (effect: number) =>
  ARM_DESIGNS.filter((one) => one.effect === effect).map((one) => ({ ...one, rounds: 200 }))

describe('arms in simulated experiments', () => {
  // 5 % of 200 experiments, within chance; `npm run simulate` stores 1,000 of each.
  it.each(few(0))(
    'A/A, $tasks × $repetitions, $arms beside the baseline: hardly a verdict',
    (aa) => {
      expect(simulateArms(aa).any).toBeLessThanOrEqual(0.075)
    },
  )

  it('finds a planted effect of 20 points with ten repetitions, and calls no arm worse', () => {
    for (const planted of few(0.2).filter(({ repetitions }) => repetitions === 10)) {
      const { better, worse } = simulateArms({ ...planted, rounds: 60 })
      expect(better).toBeGreaterThan(0.9)
      expect(worse).toBe(0)
    }
  })
})
