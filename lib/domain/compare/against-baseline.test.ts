import { describe, expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { COMPARISON_ALPHA, compareSteps, type RowComparison } from '../statistics/index.ts'
import { againstBaseline } from './against-baseline.ts'
import { rowTaskCounts } from './build-comparison.ts'

const TASKS = 20
const rate = (share: number, cost: number | null = null) =>
  sampleTasks(Array.from({ length: TASKS }, (_, i) => (i < share * TASKS ? 3 : 0))).map((task) => ({
    ...task,
    spent: { subjectMs: 10 * (cost ?? 1), tokens: 0, costMicroUsd: cost, solvedCostMicroUsd: null },
  }))
const suite = numberedVersion(TASKS)
const rows = [
  sampleRow('strong', suite, rate(1, 300)),
  sampleRow('base', suite, rate(0.4, 100)),
  sampleRow('same', suite, rate(0.4)),
]

function compare(base: string): RowComparison {
  const counts = rowTaskCounts({ rowIds: rows.map(({ rowId }) => rowId), rows, suites: [] })
  const steps = compareSteps(counts, COMPARISON_ALPHA, base)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

describe('rows against a baseline', () => {
  const [strong, base, same] = rows.map(({ rowId }) => rowId) as [string, string, string]
  const baseline = rows[1] as (typeof rows)[number]

  it('tests only the pairs with the baseline, and says row minus baseline', () => {
    const compared = compare(base)
    expect(compared.tested).toBe(2)
    const against = againstBaseline(rows, baseline, compared)
    expect(against[base]).toEqual({ kind: 'baseline' })
    expect(against[strong]).toMatchObject({ kind: 'better', difference: 0.6 })
    expect(against[same]).toMatchObject({ difference: 0, cost: null })
    expect(against[same]?.kind).not.toMatch(/better|worse/)
  })

  it('has ratios per success with their interval, and none of prices that users gave', () => {
    const found = againstBaseline(rows, baseline, compare(base))[strong]
    if (found?.kind !== 'better') throw new Error('not better')
    for (const ratio of [found.cost, found.time]) {
      expect(ratio).toMatchObject({ value: expect.closeTo(1.2, 9), tasks: TASKS })
      expect(ratio?.low).toBeLessThan(1.2)
      expect(ratio?.high).toBeGreaterThan(1.2)
    }
    const given = rows.map((row) =>
      row.rowId === strong ? { ...row, givenPrices: ['free'] } : row,
    )
    expect(againstBaseline(given, baseline, compare(base))[strong]).toMatchObject({ cost: null })
  })

  it('pays for fewer pairs than a comparison of all with all', () => {
    const counts = rowTaskCounts({ rowIds: [strong, base, same], rows, suites: [] })
    const steps = compareSteps(counts)
    let step = steps.next()
    while (!step.done) step = steps.next()
    expect(step.value.tested).toBe(3)
  })
})
