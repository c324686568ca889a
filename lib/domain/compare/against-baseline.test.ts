import { describe, expect, it } from 'vitest'
import { COMPARISON_ALPHA, compareSteps, type RowComparison } from '../statistics/index.ts'
import { againstBaseline } from './against-baseline.ts'
import { rowTaskCounts } from './build-comparison.ts'
import { numberedVersion, sampleRow, sampleTasks } from './sample-rows.fixture.ts'

const TASKS = 20
const rate = (share: number) =>
  sampleTasks(Array.from({ length: TASKS }, (_, i) => (i < share * TASKS ? 3 : 0)))
const suite = numberedVersion(TASKS)
const rows = [
  sampleRow('strong', suite, rate(1), { costPerSuccessMicroUsd: 30_000 }),
  sampleRow('base', suite, rate(0.4), { costPerSuccessMicroUsd: 10_000 }),
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
    expect(against[strong]).toMatchObject({ kind: 'better', difference: 0.6, cost: 3 })
    expect(against[same]).toMatchObject({ difference: 0, cost: null })
    expect(against[same]?.kind).not.toMatch(/better|worse/)
  })

  it('pays for fewer pairs than a comparison of all with all', () => {
    const counts = rowTaskCounts({ rowIds: [strong, base, same], rows, suites: [] })
    const steps = compareSteps(counts)
    let step = steps.next()
    while (!step.done) step = steps.next()
    expect(step.value.tested).toBe(3)
  })
})
