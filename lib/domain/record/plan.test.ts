import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { samplePlan } from '#lib/testing/factories/sample-record.ts'
import { expandPlan, slotKey } from './expand-plan.ts'
import { digestPlan } from './plan.ts'

describe('freezePlan', () => {
  it('gives a digest that any later change of the plan breaks', () => {
    const plan = samplePlan()
    expect(digestPlan(plan)).toBe(plan.planDigest)
    expect(digestPlan({ ...plan, repetitions: 3 })).not.toBe(plan.planDigest)
    expect(digestPlan({ ...plan, settings: { ...plan.settings, seed: 2 } })).not.toBe(
      plan.planDigest,
    )
    expect(digestPlan({ ...plan, command: 'other' })).not.toBe(plan.planDigest)
  })

  it('does not depend on when it was frozen', () => {
    expect(digestPlan({ ...samplePlan(), frozenAt: '2027-01-01T00:00:00.000Z' })).toBe(
      samplePlan().planDigest,
    )
  })
})

describe('expandPlan', () => {
  it('goes over all tasks before it repeats one', () => {
    expect(expandPlan(samplePlan()).map(slotKey)).toEqual([
      'alpha/1',
      'beta/1',
      'alpha/2',
      'beta/2',
    ])
  })

  it('splits into shards that are disjoint and complete, for any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 20 }),
        (count, repetitions) => {
          const plan = samplePlan({ repetitions })
          const parts = Array.from({ length: count }, (_, at) =>
            expandPlan(plan, { index: at + 1, count }).map(slotKey),
          )
          expect(parts.flat().sort()).toEqual(expandPlan(plan).map(slotKey).sort())
        },
      ),
    )
  })
})
