import { describe, expect, it } from 'vitest'
import { furtherPrice } from './looks.ts'
import { repetitionsNeeded, wholeTasksNeeded } from './runs-needed.ts'
import { simulatedPower } from './simulated-power.ts'

const design = { wSquared: 0.001, sSquaredA: 0.2, sSquaredB: 0.2, alpha: 0.05, power: 0.8 }
const OTHER_ROUNDS = { rounds: 1500, seed: 9 }

describe('repetitionsNeeded', () => {
  it.each([
    [12, 0.17],
    [25, 0.12],
  ])('have the power of the test that decides (%i tasks)', (tasks, difference) => {
    const sized = { ...design, tasks }
    const enough = repetitionsNeeded(difference, sized, 3) ?? 0
    const powerOf = (repetitions: number) => {
      const both = { repetitionsA: repetitions, repetitionsB: repetitions }
      return simulatedPower(difference, { ...sized, ...both }, OTHER_ROUNDS)
    }
    expect(powerOf(enough)).toBeGreaterThan(0.76)
    expect(powerOf(enough - 2)).toBeLessThan(0.82)
  })

  it('are none where the tasks cannot reach the level, or themselves differ too much', () => {
    expect(repetitionsNeeded(0.5, { ...design, tasks: 5 }, 3)).toBeNull()
    expect(repetitionsNeeded(0.05, { ...design, wSquared: 0.1, tasks: 25 }, 3)).toBeNull()
    expect(repetitionsNeeded(0.3, { ...design, tasks: 25 }, 100)).toBeNull()
  })
})

describe('wholeTasksNeeded', () => {
  it('are never fewer than a sign-flip test needs', () => {
    const sized = {
      ...design,
      sSquaredA: 0.001,
      sSquaredB: 0.001,
      repetitionsA: 9,
      repetitionsB: 9,
    }
    expect(wholeTasksNeeded(0.9, sized)).toEqual({ ok: true, value: 6 })
    expect(wholeTasksNeeded(0.9, { ...sized, alpha: 0.001 })).toEqual({ ok: true, value: 11 })
    expect(wholeTasksNeeded(2, sized).ok).toBe(false)
  })
})

it('judges repetitions that are added later as further looks', () => {
  expect(furtherPrice()).toBe(3 * 4)
  expect(furtherPrice({ stages: 2, states: 9 })).toBe(4 * 5)
})
