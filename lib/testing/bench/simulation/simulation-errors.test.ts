import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import { POLICY_VERSION } from '../../../domain/eligibility/index.ts'
import kept from '../../../domain/reports/methodology/simulation-errors.json' with { type: 'json' }
import { ERROR_GOALS } from '../../../domain/reports/methodology/simulation-goals.ts'
import { ARM_DESIGNS, simulateArms } from './simulate-arms.ts'
import { BOARD_DESIGNS, LOOK_DESIGNS, simulateBoards, simulateLooks } from './simulate-boards.ts'
import { type ErrorRecord, missedGoals, POWER_CASES, simulatePlan } from './simulation-record.ts'

const record = kept as ErrorRecord

/** One design of each kind checks that the stored figures are of this code; `npm run test:all` simulates the others. */
const AGAIN = BOARD_DESIGNS.flatMap(({ name, tasks, repetitions }, index) =>
  repetitions === 10 ? [[name, tasks, index] as const] : [],
)

describe('which errors are controlled, simulated', () => {
  it('shows every design on the methodology page, and no goal is missed', () => {
    expect(record.boards).toHaveLength(BOARD_DESIGNS.length)
    expect(record.plans).toHaveLength(POWER_CASES.length)
    expect(record.looks).toHaveLength(LOOK_DESIGNS.length)
    expect(record.arms).toHaveLength(ARM_DESIGNS.length)
    expect(record.policyVersion, 'run `npm run simulate`').toBe(POLICY_VERSION)
    expect(missedGoals(record)).toEqual([])
  })

  it.each(AGAIN.slice(0, countDraws(AGAIN.length, 1)))(
    'ranks boards again: %s, %i tasks',
    (_, __, index) => {
      const design = BOARD_DESIGNS[index] as (typeof BOARD_DESIGNS)[number]
      const result = simulateBoards(design)
      expect(record.boards[index], 'run `npm run simulate`').toEqual({ ...design, ...result })
      expect(result.setsHold).toBeGreaterThanOrEqual(ERROR_GOALS.setsHold)
    },
  )

  it('plans again', () => {
    for (const [index, design] of POWER_CASES.entries()) {
      if (design.tasks > countDraws(25, 12)) continue
      const again = { ...design, ...simulatePlan(design) }
      expect(record.plans[index], 'run `npm run simulate`').toEqual(again)
    }
  })

  it('looks again', () => {
    const [design] = LOOK_DESIGNS
    const [looked] = record.looks
    if (!design || !looked) throw new Error('there is no design')
    const rounds = countDraws(design.rounds, design.rounds / 20)
    const result = simulateLooks({ ...design, rounds })
    // A part of the draws agrees with the record within four standard errors.
    for (const kind of ['plain', 'judged', 'extra'] as const) {
      const rate = looked[kind]
      const error = rounds === design.rounds ? 0 : 4 * Math.sqrt((rate * (1 - rate)) / rounds)
      expect(Math.abs(result[kind] - rate), 'run `npm run simulate`').toBeLessThanOrEqual(error)
    }
    expect(looked.plain).toBeGreaterThan(2 * ERROR_GOALS.looks)
    expect(result.plain).toBeGreaterThan(result.judged)
  })

  it('plays arms again: A/A, and a planted effect', () => {
    for (const effect of [0, 0.2].slice(0, countDraws(2, 1))) {
      const index = ARM_DESIGNS.findIndex((one) => one.effect === effect && one.repetitions === 3)
      const design = ARM_DESIGNS[index] as (typeof ARM_DESIGNS)[number]
      const again = { ...design, ...simulateArms(design) }
      expect(record.arms[index], 'run `npm run simulate`').toEqual(again)
    }
  })

  it('says which goal is missed, a sentence each', () => {
    const [board, plan, look] = [record.boards[0], record.plans[0], record.looks[0]]
    const [arm] = record.arms
    if (!board || !plan || !look || !arm) throw new Error('nothing was simulated')
    const spoiled = {
      boards: [{ ...board, setsHold: 0.7, anyFalse: 0.2 }],
      plans: [{ ...plan, power: 0.7 }],
      looks: [{ ...look, judged: 0.15 }],
      arms: [{ ...arm, any: 0.2 }],
    }
    expect(missedGoals(spoiled)).toEqual([
      '8 close rows, 25 × 10: rank sets hold together in 70.0 %.',
      '8 close rows, 25 × 10: some verdict is false in 20.0 %.',
      'Plan 12 × 10, pool of 2: power 70.0 %.',
      '20 looks, topped-up, 25 × 3: false in 15.0 %.',
      'A/A, 1 arms, 25 × 1: some verdict in 20.0 %.',
    ])
  })
})
