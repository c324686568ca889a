import { describe, expect, it } from 'vitest'
import { RunSpending } from './spending.ts'

const attempt = (repetition: number, costMicroUsd: number | null) => ({
  taskId: 'alpha',
  repetition,
  usage: costMicroUsd === null ? null : usageOf(costMicroUsd),
})
const usageOf = (costMicroUsd: number | null) => ({
  tokens: { input: 1, output: 1, cacheRead: null, cacheWrite: null, reasoning: null },
  costMicroUsd,
  priceTable: null,
})

describe('the spending of a run', () => {
  it('counts what is sealed and what is known of running attempts, each once', () => {
    const spending = new RunSpending(100, null)
    let soFar = 0
    spending.watch({ taskId: 'alpha', repetition: 1 }, () => soFar)
    expect(spending.report()).toMatchObject({ spentMicroUsd: 0, closed: null })
    soFar = 99
    expect(spending.report()).toMatchObject({ spentMicroUsd: 99, closed: null })
    spending.add(attempt(1, 60))
    expect(spending.report()).toMatchObject({ spentMicroUsd: 60, closed: null })
    spending.add(attempt(2, 40))
    expect(spending.report()).toMatchObject({ spentMicroUsd: 100, closed: 'reached' })
  })

  it('counts an attempt of unknown cost as the limit of an episode, else as the dearest known one', () => {
    const pinned = new RunSpending(100, 30)
    pinned.add(attempt(1, null))
    expect(pinned.report()).toMatchObject({ spentMicroUsd: 30, unknownAttempts: 1, closed: null })
    const free = new RunSpending(100, null)
    for (const cost of [10, 40, null]) free.add(attempt(1, cost))
    expect(free.report()).toMatchObject({ spentMicroUsd: 90, unknownAttempts: 1, closed: null })
    free.add({ ...attempt(2, null), usage: usageOf(null) })
    expect(free.report()).toMatchObject({ spentMicroUsd: 130, closed: 'reached' })
  })

  it('does not go on for long when no attempt has a known cost', () => {
    const spending = new RunSpending(100, null)
    spending.add(attempt(1, null))
    spending.add(attempt(2, null))
    expect(spending.report()).toMatchObject({ spentMicroUsd: 0, closed: null })
    spending.add(attempt(3, null))
    expect(spending.report()).toMatchObject({ spentMicroUsd: 0, closed: 'unknown' })
    const free = new RunSpending(100, null)
    for (const repetition of [1, 2, 3, 4]) free.add(attempt(repetition, 0))
    expect(free.report()).toMatchObject({ spentMicroUsd: 0, unknownAttempts: 0, closed: null })
  })
})
