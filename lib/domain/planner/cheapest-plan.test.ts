import { describe, expect, it } from 'vitest'
import { simulatedPower } from '../statistics/index.ts'
import { cheapestPlan } from './cheapest-plan.ts'
import { assumeVariances, poolOf } from './find-power.ts'

const assumed = assumeVariances(null, null)
const around = (tasks: number, costPerEpisode: number | null = 100_000) => ({
  tasks,
  assumed,
  pool: poolOf(2),
  costPerEpisode,
})

describe('the cheapest plan for a wanted verdict', () => {
  it('has 80 % power by other random numbers, and is priced', () => {
    const { plan, sentence, isWithinBudget } = cheapestPlan(
      { difference: 0.2, budgetMicroUsd: null },
      around(80),
    )
    if (!plan) throw new Error('there is no plan')
    const { tasks, repetitions, episodes, costMicroUsd } = plan
    expect([episodes, costMicroUsd]).toEqual([2 * tasks * repetitions, 100_000 * episodes])
    const design = { ...assumed, tasks, alpha: 0.05 }
    const power = simulatedPower(
      0.2,
      { ...design, repetitionsA: repetitions, repetitionsB: repetitions },
      { rounds: 8000, seed: 5 },
    )
    expect(power).toBeGreaterThan(0.78)
    expect(power).toBeLessThan(0.85)
    expect(isWithinBudget).toBe(true)
    expect(sentence).toMatch(
      /^To detect 20 points: \d+ tasks × \d+ × 2 sides, \d+ episodes, about \$/,
    )
  })

  it('says what a smaller budget buys', () => {
    const found = cheapestPlan({ difference: 0.2, budgetMicroUsd: 5_000_000 }, around(80))
    expect(found.isWithinBudget).toBe(false)
    expect(found.affordable?.costMicroUsd).toBeLessThanOrEqual(5_000_000)
    expect(found.affordable?.power).toBeLessThan(0.7)
    expect(found.sentence).toContain('That is more than $5.00. For $5.00: ')
  })

  it('says when these tasks are too few, and when the cost is unknown', () => {
    const few = cheapestPlan({ difference: 0.1, budgetMicroUsd: null }, around(12))
    expect(few.plan).toBeNull()
    expect(few.sentence).toMatch(
      /12 tasks are too few, however often they are repeated; about \d+ tasks/,
    )
    const unknown = cheapestPlan({ difference: 0.2, budgetMicroUsd: 1e9 }, around(80, null))
    expect(unknown.isWithinBudget).toBe(false)
    expect(unknown.sentence).toContain('The cost is unknown')
  })
})
