import { expect, it } from 'vitest'
import {
  cpuSlowdown,
  headLines,
  listMissed,
  measuredLine,
  medianMeasures,
  readReport,
} from './goals.ts'

const report = {
  environment: { benchmarkIndex: 1234.5 },
  categories: {
    performance: { score: 0.94 },
    accessibility: { score: 1 },
    'best-practices': { score: 0.96 },
    seo: { score: 1 },
  },
  audits: {
    'cumulative-layout-shift': {
      title: 'CLS',
      score: 0.9,
      scoreDisplayMode: 'numeric',
      numericValue: 0.02,
    },
    'largest-contentful-paint': {
      title: 'LCP',
      score: 0.9,
      scoreDisplayMode: 'numeric',
      numericValue: 1900,
    },
    'total-blocking-time': {
      title: 'TBT',
      score: 0.9,
      scoreDisplayMode: 'numeric',
      numericValue: 210.4,
    },
    'errors-in-console': { title: 'Errors in the console', score: 0, scoreDisplayMode: 'binary' },
  },
}

const read = readReport(report)
if ('error' in read) throw new Error(read.error)
const { measures, failed } = read

it('reads scores, figures and failed audits, and Lighthouse’s own error', () => {
  expect(measures).toEqual({
    performance: 94,
    accessibility: 100,
    bestPractices: 96,
    seo: 100,
    layoutShift: 0.02,
    largestPaintMs: 1900,
    blockingMs: 210.4,
    machineIndex: 1234.5,
  })
  expect(failed).toEqual(['Errors in the console'])
  const broken = { ...report, runtimeError: { message: 'no first paint' } }
  expect(readReport(broken)).toEqual({ error: 'no first paint' })
})

it('marks what misses its goal; only a phone has one for the largest paint', () => {
  expect(listMissed(measures, 'phone')).toEqual(['perf.', 'LCP s'])
  expect(listMissed(measures, 'desktop')).toEqual(['perf.'])
  expect(listMissed({ ...measures, performance: null }, 'desktop')).toEqual([])
  expect(measuredLine('board', 'phone', measures)).toMatch(
    /^board +phone +94 ✗ +100 +96 +100 +0\.020 +1\.90 ✗ +210 +1235$/,
  )
  expect(headLines()[1]).toMatch(/≥ 95 +≥ 95 +≥ 95 +≥ 95 +≤ 0\.050 +≤ 1\.80$/)
})

it('takes the median of several runs, figure by figure', () => {
  const runs = [80, 99, 96].map((performance) => ({ ...measures, performance }))
  expect(medianMeasures(runs)).toEqual({ ...measures, performance: 96 })
})

it('slows a machine down by its benchmark', () => {
  expect([0, 150, 475, 800, 1050, 1300, 1533, 9000].map(cpuSlowdown)).toEqual([
    1,
    1,
    1.5,
    2,
    2.5,
    3,
    expect.closeTo(4, 2),
    6,
  ])
})
