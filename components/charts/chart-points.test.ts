import { describe, expect, it } from 'vitest'
import type { Board } from '#lib/domain/board/index.ts'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import { AXES, type AxisSlug, buildAxisReport } from '#lib/domain/reports/index.ts'
import { sampleBoardRow, tableRow } from '../board/sample-board-row.ts'

import { costPoints, frontier, reportChartData, successPoints, timePoints } from './chart-points.ts'

const sample = sampleBoardRow()
const rows = [
  sampleBoardRow({ rowId: 'low', success: { ...sample.success, rate: 0.2, low: 0.1, high: 0.5 } }),
  sampleBoardRow({
    rowId: 'unknown',
    success: { ...sample.success, rate: null, low: null, high: null },
    solvedMs: { p50: null, p95: null },
    costPerSuccessMicroUsd: null,
  }),
  sampleBoardRow({ rowId: 'high', label: 'smoke', solvedMs: { p50: 2000, p95: null } }),
].map(tableRow)

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

const task = { taskId: 'a', solved: 2, scored: 4, voids: 0 }
const spent = { subjectMs: 8000, tokens: 40_000, costMicroUsd: 60_000, solvedCostMicroUsd: 30_000 }
const board: Board = {
  schemaVersion: 1,
  suite: {
    suiteId: 's',
    title: 'S',
    description: '',
    digest: `sha256:${'a'.repeat(64)}`,
    tasks: [],
  },
  policyVersion: POLICY.version,
  thresholds: POLICY.thresholds,
  rankings: [],
  rows: [
    sampleBoardRow({ rowId: 'known', tasks: [{ ...task, spent }] }),
    sampleBoardRow({
      rowId: 'unknown',
      label: 'smoke',
      tasks: [{ ...task, spent: { ...spent, tokens: null } }],
      solvedMs: { p50: null, p95: null },
    }),
  ],
}

function picture(slug: AxisSlug) {
  const axis = AXES.find((one) => one.slug === slug)
  return axis ? reportChartData(buildAxisReport(axis, board)) : null
}

it('draws what is known, in the units of the axis, and marks claims', () => {
  expect(picture('token-efficiency')).toMatchObject({
    unit: 'k tokens',
    points: [{ id: 'known', claim: true, cost: 20, success: 84 }],
  })
  expect(picture('token-cost')?.points).toHaveLength(2)
  expect(picture('speed')?.points).toMatchObject([{ id: 'known', value: 84, whisker: [0, 128] }])
  expect(picture('task-completion')?.points.map(({ claim }) => claim)).toEqual([true, false])
})

it('draws nothing where there is nothing', () => {
  expect(picture('developer-experience')).toBeNull()
  expect(picture('fault-recovery')).toBeNull()
})
