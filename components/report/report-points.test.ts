import { expect, it } from 'vitest'
import { sampleBoardRow } from '#components/board/sample-board-row.ts'
import { AXES, type AxisSlug } from '#lib/domain/axes/axes.ts'
import { buildAxisReport } from '#lib/domain/axes/build-axis-report.ts'
import type { Board } from '#lib/domain/board/board-row.ts'
import { POLICY } from '#lib/domain/eligibility/policy.ts'
import { reportPicture } from './report-points.ts'

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
  return axis ? reportPicture(buildAxisReport(axis, board)) : null
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
