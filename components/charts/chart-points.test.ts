import { describe, expect, it } from 'vitest'
import { sampleBoardRow } from '#components/board/sample-board-row.ts'
import { toTableRows } from '#components/board/to-table-rows.ts'
import { costPoints, frontier, successPoints, timePoints } from './chart-points.ts'

const sample = sampleBoardRow()
const rows = toTableRows([
  sampleBoardRow({ rowId: 'low', success: { ...sample.success, rate: 0.2, low: 0.1, high: 0.5 } }),
  sampleBoardRow({
    rowId: 'unknown',
    success: { ...sample.success, rate: null, low: null, high: null },
    solvedMs: { p50: null, p95: null },
    costPerSuccessMicroUsd: null,
  }),
  sampleBoardRow({ rowId: 'high', label: 'smoke', solvedMs: { p50: 2000, p95: null } }),
])

describe('points of the charts', () => {
  it('draws only what is known, best first', () => {
    expect(successPoints(rows).map(({ id }) => id)).toEqual(['high', 'low'])
    expect(timePoints(rows).map(({ id }) => id)).toEqual(['high', 'low'])
    expect(costPoints(rows).map(({ id }) => id)).toEqual(['low', 'high'])
  })

  it('gives whiskers as distances from the mark', () => {
    const [, low] = successPoints(rows)
    expect(low?.value).toBe(20)
    expect(low?.whisker.map(Math.round)).toEqual([10, 30])
    expect(timePoints(rows)[0]?.whisker).toEqual([0, 0])
  })
})

it('joins the rows that no other row beats in both cost and success', () => {
  const at = (id: string, cost: number, success: number) => ({
    id,
    name: id,
    claim: true,
    cost,
    success,
  })
  const points = [at('dear', 3, 90), at('beaten', 2, 40), at('cheap', 1, 50), at('tied', 1, 45)]
  expect(frontier(points).map(({ id }) => id)).toEqual(['cheap', 'dear'])
  expect(frontier([])).toEqual([])
})
