import { describe, expect, it } from 'vitest'
import { costPerSuccess, spendingRatio, type TaskSpending } from './cost-per-success.ts'

const tasks = (spent: (task: number) => number | null, solved: (task: number) => number) =>
  Array.from(
    { length: 10 },
    (_, task): TaskSpending => ({
      taskId: `t${task}`,
      spent: spent(task),
      solved: solved(task),
    }),
  )
const value = (a: TaskSpending[], b: TaskSpending[]) => {
  const ratio = spendingRatio(a, b)
  if (!ratio.ok) throw new Error(ratio.refusal.reason)
  return ratio.value
}

describe('spendingRatio', () => {
  const [cheap, dear] = [
    tasks(
      (task) => 10 + task,
      () => 2,
    ),
    tasks(
      (task) => 30 + task * 7,
      (task) => 1 + (task % 2),
    ),
  ]

  it('is the quotient of the two costs per success, within its interval', () => {
    const [a, b] = [costPerSuccess(dear), costPerSuccess(cheap)]
    if (!a.ok || !b.ok) throw new Error('both have a cost')
    const ratio = value(dear, cheap)
    expect(ratio.value).toBeCloseTo(a.value.value / b.value.value, 10)
    expect(ratio.low).toBeLessThan(ratio.value)
    expect(ratio.high).toBeGreaterThan(ratio.value)
  })

  it('turns round with its sides, and keeps tasks together: a side against itself is exactly 1', () => {
    const [one, other] = [value(dear, cheap), value(cheap, dear)]
    expect(one.low * (other.high ?? Number.NaN)).toBeCloseTo(1, 1)
    expect(value(dear, dear)).toMatchObject({ value: 1, low: 1, high: 1 })
  })

  it('compares common tasks alone, and refuses what is unknown or never solved', () => {
    expect(value([...dear, { taskId: 'more', spent: 1e9, solved: 0 }], cheap)).toEqual(
      value(dear, cheap),
    )
    expect(
      spendingRatio(
        tasks(
          (task) => (task === 3 ? null : 1),
          () => 1,
        ),
        cheap,
      ),
    ).toMatchObject({ refusal: { code: 'unknown-cost' } })
    expect(
      spendingRatio(
        tasks(
          () => 1,
          () => 0,
        ),
        cheap,
      ),
    ).toMatchObject({ refusal: { code: 'no-success' } })
    expect(spendingRatio([], cheap)).toMatchObject({ refusal: { code: 'no-tasks' } })
    expect(
      spendingRatio(
        cheap,
        tasks(
          () => 0,
          () => 1,
        ),
      ).ok,
    ).toBe(false)
  })
})

describe('a single task', () => {
  const one = [{ taskId: 't', spent: 300, solved: 3 }]

  it('has a value without bounds: resampling it gives nothing but itself', () => {
    const cost = costPerSuccess(one)
    expect(cost).toMatchObject({ ok: true, value: { value: 100, low: 0, high: null, tasks: 1 } })
    expect(cost.ok && cost.value.method).toBe(
      'ratio of sums of one task; says nothing about other tasks',
    )
    const ratio = spendingRatio(one, [{ taskId: 't', spent: 600, solved: 3 }])
    expect(ratio).toMatchObject({ ok: true, value: { value: 0.5, low: 0, high: null } })
  })
})
