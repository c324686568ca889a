import { describe, expect, it } from 'vitest'
import { type Board, type BoardRow, rankPoolOf } from '#lib/domain/board/index.ts'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import { AXES, type AxisSlug, buildAxisReport } from '#lib/domain/reports/index.ts'
import { sampleBoardRow } from '#lib/testing/factories/sample-board-row.ts'
import { buildFigure, chooseBand, chooseCurves } from './build-figure.ts'
import { frontier } from './chart.ts'
import { costPoints } from './cost-figure.ts'
import { ecdf } from './ecdf-figure.ts'
import { commonKinds } from './failure-figure.ts'
import { type Figure, splitEntries, toChartEntries } from './figure.ts'
import { successFigure, timeFigure } from './range-figure.ts'
import { findSlopes } from './recovery-figure.ts'
import { reportFigure } from './report-figure.ts'
import { taskLines } from './task-figure.ts'

const sample = sampleBoardRow()
const entriesOf = (rows: BoardRow[]) => toChartEntries(rows, rankPoolOf)
const entries = entriesOf([
  sampleBoardRow({ rowId: 'low', success: { ...sample.success, rate: 0.2, low: 0.1, high: 0.5 } }),
  sampleBoardRow({
    rowId: 'unknown',
    success: { ...sample.success, rate: null, low: null, high: null },
    solvedMs: { p50: null, p95: null },
    costPerSuccessMicroUsd: null,
  }),
  sampleBoardRow({ rowId: 'high', solvedMs: { p50: 2000, p95: null } }),
  sampleBoardRow({ rowId: 'apart', label: 'smoke', refusals: [], rank: null }),
])
const rowsOf = (figure: Figure | null) => figure?.table.slice(1) ?? []

describe('range charts', () => {
  it('draw only what is known, best first within a band, unranked apart', () => {
    expect(rowsOf(successFigure(entries)).map((row) => row.slice(0, 4))).toEqual([
      ['Ranked', expect.any(String), 'yes', 84],
      ['Ranked', expect.any(String), 'yes', 20],
      ['Unranked', expect.any(String), 'no', 84],
    ])
    expect(rowsOf(timeFigure(entries)).map((row) => row[3])).toEqual([2, 84, 84])
  })

  it('give the ends of each whisker', () => {
    expect(rowsOf(successFigure(entries))[1]?.slice(3)).toEqual([20, 10, 50])
    expect(rowsOf(timeFigure(entries))[0]?.slice(3)).toEqual([2, 2, 2])
  })
})

it('has a cost only where cost and success are known', () => {
  expect(costPoints(entries).map(({ id }) => id)).toEqual(['low', 'high', 'apart'])
})

it('joins the rows that no other row beats in both cost and success', () => {
  const at = (id: string, x: number, y: number) => ({ id, x, y })
  const points = [at('dear', 3, 90), at('beaten', 2, 40), at('cheap', 1, 50), at('tied', 1, 45)]
  expect(frontier(points).map(({ id }) => id)).toEqual(['cheap', 'dear'])
  expect(frontier([])).toEqual([])
})

it('rises by an equal part at each value of a whole sample, and by its share at a quantile', () => {
  expect(ecdf({ episodes: 2, values: [1, 5] }).map(({ share }) => share)).toEqual([0.5, 1])
  expect(ecdf({ episodes: 90, values: [1, 5, 9] }).map(({ share }) => share)).toEqual([0, 0.5, 1])
})

const part = (taskId: string, solved: number, scored: number) => ({
  taskId,
  solved,
  scored,
  voids: 0,
})
const suiteTask = (taskId: string) => ({
  taskId,
  title: taskId,
  category: 'c',
  difficulty: 'easy' as const,
})

describe('the heat map', () => {
  const tasks = ['easy', 'untried', 'hard', 'middle'].map(suiteTask)
  const two = entriesOf([
    sampleBoardRow({
      rowId: 'a',
      tasks: [part('easy', 4, 4), part('hard', 0, 4), part('middle', 2, 4)],
    }),
    sampleBoardRow({
      rowId: 'b',
      tasks: [part('easy', 4, 4), part('hard', 1, 4), part('middle', 4, 4)],
    }),
  ])

  it('puts the hardest task first, by median success, and tasks without attempts last', () => {
    expect(taskLines(tasks, two).map(({ task, median }) => [task.taskId, median])).toEqual([
      ['hard', 0.125],
      ['middle', 0.75],
      ['easy', 1],
      ['untried', null],
    ])
  })

  it('keeps the order of the suite where pools are mixed', () => {
    const lines = taskLines(tasks, two, false)
    expect(lines.map(({ task }) => task.taskId)).toEqual(['easy', 'untried', 'hard', 'middle'])
  })
})

it('pairs an entry under a fault with the same one without, over the tasks of both', () => {
  const under = (fault: string | undefined) => ({ ...sample.settings, ...(fault ? { fault } : {}) })
  const both = entriesOf([
    sampleBoardRow({ rowId: 'plain', tasks: [part('a', 4, 4), part('b', 4, 4), part('c', 0, 4)] }),
    sampleBoardRow({
      rowId: 'stress',
      settings: under('overlay'),
      tasks: [part('a', 4, 4), part('b', 0, 4)],
    }),
    sampleBoardRow({
      rowId: 'alone',
      subject: { ...sample.subject, version: '9' },
      settings: under('overlay'),
      tasks: [part('a', 1, 4)],
    }),
  ])
  const [slope, ...others] = findSlopes(both)
  expect(others).toEqual([])
  expect(slope).toMatchObject({ fault: 'overlay', tasks: 2, episodes: 16 })
  expect([slope?.plain.rate, slope?.faulted.rate]).toEqual([1, 0.5])
})

it('colours the most frequent kinds of failure', () => {
  const some = entriesOf([
    sampleBoardRow({ failures: { timeout: 1, crash: 3 } }),
    sampleBoardRow({ failures: { timeout: 4 } }),
  ])
  expect(commonKinds(some)).toEqual(['timeout', 'crash'])
})

const spent = { subjectMs: 8000, tokens: 40_000, costMicroUsd: 60_000, solvedCostMicroUsd: 30_000 }
const board: Board = {
  schemaVersion: 1,
  suite: {
    suiteId: 's',
    title: 'S',
    description: '',
    digest: `sha256:${'a'.repeat(64)}`,
    tasks: [suiteTask('a')],
  },
  policyVersion: POLICY.version,
  thresholds: POLICY.thresholds,
  rankings: [],
  rows: [
    sampleBoardRow({ rowId: 'known', tasks: [{ ...part('a', 2, 4), spent }] }),
    sampleBoardRow({
      rowId: 'unknown',
      label: 'smoke',
      tasks: [{ ...part('a', 2, 4), spent: { ...spent, tokens: null } }],
      solvedMs: { p50: null, p95: null },
    }),
  ],
}

function ofReport(slug: AxisSlug) {
  const axis = AXES.find((one) => one.slug === slug)
  return axis
    ? reportFigure(buildAxisReport(axis, board), { scale: 'linear', styles: new Map() })
    : null
}

describe('charts of reports', () => {
  it('draw what is known, in the units of the axis, and mark claims', () => {
    expect(ofReport('token-efficiency')?.unit).toContain('k tokens')
    expect(rowsOf(ofReport('token-efficiency')).map((row) => [row[1], row[2], row[5]])).toEqual([
      ['yes', 20, 84],
    ])
    expect(rowsOf(ofReport('token-cost'))).toHaveLength(2)
    expect(rowsOf(ofReport('speed')).map((row) => row.slice(3))).toEqual([[84, 84, 212]])
    expect(rowsOf(ofReport('task-completion')).map((row) => row[2])).toEqual(['yes', 'no'])
  })

  it('draw nothing where there is nothing', () => {
    expect(ofReport('developer-experience')).toBeNull()
    expect(ofReport('fault-recovery')).toBeNull()
  })
})

it('draws the first group of which something is known, where none was asked for', () => {
  const free = { driven: 'scripted', costPerSuccessMicroUsd: null } as const
  const rows = [
    sampleBoardRow({ rowId: 'one', ...free }),
    sampleBoardRow({ rowId: 'two', ...free }),
    sampleBoardRow({ rowId: 'paid', driven: 'llm' }),
  ]
  const all = entriesOf(rows)
  const options = { band: null, scale: 'log', chosen: [] } as const
  expect(all.map(({ pool }) => pool)).toEqual([
    expect.stringContaining('scripted'),
    expect.stringContaining('scripted'),
    expect.stringContaining('llm'),
  ])
  const chosen = chooseBand('cost', board, all, options)
  expect(chosen?.entries.map(({ id }) => id)).toEqual(['paid'])
  expect(rowsOf(buildFigure('cost', board, all, options))).toHaveLength(1)
  const request = { ...options, band: splitEntries(all)[0]?.band.id ?? '' }
  expect(buildFigure('cost', board, all, request)).toBeNull()
})

it('gives an entry the same colour in every chart, whatever else is drawn', () => {
  const rows = ['a', 'b', 'c'].map((rowId) =>
    sampleBoardRow({
      rowId,
      distributions: { solvedMs: { episodes: 1, values: [900] }, solvedTokens: null },
      reliability: { points: [{ k: 1, rate: 1, low: 0.5, high: 1 }], method: 'm' },
    }),
  )
  const options = { band: null, scale: 'log', chosen: ['c'] } as const
  const coloursOf = (chart: (typeof CHARTS)[number], shown: readonly BoardRow[]) => {
    const all = entriesOf(rows).filter(({ row }) => shown.includes(row))
    const { series = [] } = buildFigure(chart, board, all, options)?.chart ?? {}
    return series.map(({ style }) => style.colour)
  }
  const CHARTS = ['cost', 'success', 'time-distribution', 'reliability'] as const
  const [own] = coloursOf('success', rows.slice(2))
  for (const chart of CHARTS) expect(coloursOf(chart, rows.slice(2)), chart).toEqual([own])
  expect(new Set(coloursOf('success', rows)).size).toBe(3)
})

it('draws the first curves, and others when the reader asks for them', () => {
  const many = entriesOf(Array.from({ length: 40 }, (_, at) => sampleBoardRow({ rowId: `r${at}` })))
  const drawn = (chosen: string[]) =>
    chooseCurves(many, chosen).flatMap(({ id, isHidden }) => (isHidden ? [] : id))
  expect(chooseCurves(many)).toHaveLength(24)
  expect(drawn([])).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5'])
  expect(drawn(['r9', 'nothing'])).toEqual(['r9'])
})
