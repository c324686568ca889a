import { buildFigure } from '#components/charts/build-figure.ts'
import type { Chart } from '#components/charts/chart.ts'
import { type Figure, toChartEntries } from '#components/charts/figure.ts'
import { historyFigure, toHistoryEntry } from '#components/charts/history-figure.ts'
import { phaseChart } from '#components/charts/phase-chart.ts'
import { discriminationChart, taskTimeChart } from '#components/charts/task-charts.ts'
import { BOARD_CHARTS } from '#lib/domain/api/index.ts'
import {
  type Board,
  type BoardRow,
  rankPoolOf,
  type TaskStatistics,
} from '#lib/domain/board/index.ts'
import { POLICY } from '#lib/domain/eligibility/index.ts'
import { sampleBoardRow } from '../factories/sample-board-row.ts'

/** Numbers of entries that the gallery draws. */
export const GALLERY_COUNTS = [0, 1, 2, 12, 120] as const

/** A name that tries to run a script, close an element, and change the text direction. */
const HOSTILE_NAME = `</text><script>window.ran = 1</script><img src=x onerror="window.ran = 1">\u202e"'&`

const LONG_NAME = `agent-${'long-'.repeat(38)}end`

/** Every chart with this many entries, by name; null = there is nothing to draw. */
export function galleryCharts(count: number): { name: string; chart: Chart | null }[] {
  const rows = Array.from({ length: count }, (_, index) => galleryRow(index))
  const entries = toChartEntries(rows, rankPoolOf)
  const options = { band: null, scale: 'log', chosen: [] } as const
  const figures: [string, Figure | null][] = BOARD_CHARTS.map((name) => [
    name,
    buildFigure(name, galleryBoard(rows), entries, options),
  ])
  const history = rows.map((row) =>
    toHistoryEntry({ row, suiteTitle: 'S', isCurrent: true, categories: [] }),
  )
  figures.push(['history', historyFigure('agent', history)])
  return [
    ...figures.map(([name, figure]) => ({ name, chart: figure?.chart ?? null })),
    { name: 'task-time', chart: taskTimeChart('a', entries) },
    { name: 'discrimination', chart: discriminationChart('s', galleryStatistics(rows)) },
    { name: 'phases', chart: phaseChart(galleryPhases(count)) },
  ]
}

/** A task for each entry, named like it. */
function galleryStatistics(rows: readonly BoardRow[]): TaskStatistics {
  const tasks = rows.map(({ subject, success }, index) => ({
    taskId: `${subject.name} ${index}`,
    rows: 4,
    mean: success.rate,
    solvedBy: 'some' as const,
    discrimination: index % 6 === 5 ? null : ((index * 29) % 100) / 50 - 1,
  }))
  return { rows: 4, fewestRows: 4, tasks }
}

function galleryPhases(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? HOSTILE_NAME : `phase ${index}`,
    ms: index % 5 === 1 ? 0 : index * 100,
    what: 'What happens.',
    tone: 'accent',
  }))
}

function galleryBoard(rows: BoardRow[]): Board {
  return {
    schemaVersion: 1,
    suite: {
      suiteId: 's',
      title: 'S',
      description: '',
      digest: `sha256:${'a'.repeat(64)}`,
      tasks: [{ taskId: 'a', title: 'a', category: 'c', difficulty: 'easy' }],
    },
    policyVersion: POLICY.version,
    thresholds: POLICY.thresholds,
    rankings: [],
    rows,
  }
}

const NAMES = [HOSTILE_NAME, LONG_NAME, 'エージェント', 'demo-agent']

/** Entries that differ in everything a chart draws; every seventh has no value, every fifth only zeros. */
function galleryRow(index: number): BoardRow {
  const base = sampleBoardRow()
  const isFaulty = index % 2 === 1
  const name = NAMES[Math.floor(index / 2)] ?? `agent-${Math.floor(index / 2)}`
  const values = index % 7 === 6 ? UNKNOWN : index % 5 === 4 ? ZERO : knownValues(index)
  return sampleBoardRow({
    rowId: `row-${index}`,
    subject: { ...base.subject, name, version: `1.${Math.floor(index / 2)}.0` },
    settings: { ...base.settings, ...(isFaulty ? { fault: 'overlay' } : {}) },
    label: isFaulty ? 'smoke' : 'primary',
    tasks: [
      { taskId: 'a', solved: index % 5, scored: 4, voids: 0, spent: gallerySpent(values) },
      { taskId: 'b', solved: index % 4, scored: 4, voids: 0 },
    ],
    lastStartedAt: new Date(Date.UTC(2026, 9, 1) + index * 43_200_000).toISOString(),
    suiteDigest: `sha256:${(index < 3 ? 'a' : 'b').repeat(64)}`,
    recovery: null,
    ...values,
    success: { ...base.success, ...values.success },
  })
}

const gallerySpent = ({ solvedMs }: Values) => ({
  subjectMs: null,
  tokens: null,
  costMicroUsd: null,
  solvedCostMicroUsd: null,
  solvedP50Ms: solvedMs?.p50 ?? null,
})

type Values = Omit<Partial<BoardRow>, 'success'> & {
  success: Pick<BoardRow['success'], 'rate' | 'low' | 'high'>
}

const UNKNOWN: Values = {
  success: { rate: null, low: null, high: null },
  solvedMs: { p50: null, p95: null },
  costPerSuccessMicroUsd: null,
  costPerSuccessInterval: null,
  failures: {},
  reliability: null,
  distributions: { solvedMs: null, solvedTokens: null },
}

const ZERO: Values = {
  success: { rate: 0, low: 0, high: 0.15 },
  solvedMs: { p50: 0, p95: 0 },
  costPerSuccessMicroUsd: 0,
  costPerSuccessInterval: { lowMicroUsd: 0, highMicroUsd: null, method: 'm' },
  failures: { timeout: 0 },
  reliability: { method: 'm', points: [{ k: 1, rate: 0, low: 0, high: 0.2 }] },
  distributions: {
    solvedMs: { episodes: 2, values: [0, 0] },
    solvedTokens: { episodes: 1, values: [0] },
  },
}

function knownValues(index: number): Values {
  const rate = ((index * 37) % 100) / 100
  const ms = 1000 * (1 + (index % 17))
  const cost = 1000 * 1.4 ** (index % 23)
  return {
    success: { rate, low: Math.max(0, rate - 0.2), high: Math.min(1, rate + 0.15) },
    solvedMs: { p50: ms, p95: ms * 3 },
    costPerSuccessMicroUsd: cost,
    costPerSuccessInterval: { lowMicroUsd: cost / 2, highMicroUsd: cost * 3, method: 'm' },
    failures: { timeout: index % 5, 'test-failure': 1, crash: index % 3 },
    reliability: {
      method: 'm',
      points: [1, 2, 3].map((k) => ({ k, rate: rate ** k, low: rate ** k / 2, high: rate })),
    },
    distributions: {
      solvedMs: { episodes: 5, values: [1, 2, 3, 5, 9].map((at) => at * ms) },
      solvedTokens: { episodes: 1, values: [1000 + index] },
    },
  }
}
