import { expect, it } from 'vitest'
import { headLines, listMissed, measuredLine, medianMeasures, readReport } from './goals.ts'

const report = {
  categories: {
    performance: { score: 0.94 },
    accessibility: { score: 1 },
    'best-practices': { score: 0.96 },
    seo: { score: 1 },
  },
  audits: {
    'cumulative-layout-shift': {
      ...{ title: 'CLS', score: 0.9, scoreDisplayMode: 'numeric', numericValue: 0.02 },
    },
    'largest-contentful-paint': {
      ...{ title: 'LCP', score: 0.9, scoreDisplayMode: 'numeric', numericValue: 1600 },
    },
    'errors-in-console': { title: 'Errors in the console', score: 0, scoreDisplayMode: 'binary' },
  },
}

it('reads scores, figures and failed audits, and throws Lighthouse’s own error', () => {
  const { measures, failed } = readReport(report)
  expect(measures).toEqual({
    performance: 94,
    accessibility: 100,
    bestPractices: 96,
    seo: 100,
    layoutShift: 0.02,
    largestPaintMs: 1600,
  })
  expect(failed).toEqual(['Errors in the console'])
  const broken = { ...report, runtimeError: { message: 'no first paint' } }
  expect(() => readReport(broken)).toThrow('no first paint')
})

it('marks what misses its goal; only a phone has one for the largest paint', () => {
  const { measures } = readReport(report)
  expect(listMissed(measures, 'phone')).toEqual(['perf.', 'LCP s'])
  expect(listMissed(measures, 'desktop')).toEqual(['perf.'])
  expect(listMissed({ ...measures, performance: null }, 'desktop')).toEqual([])
  expect(measuredLine('board', 'phone', measures)).toMatch(
    /^board +phone +94 ✗ +100 +96 +100 +0\.020 +1\.60 ✗$/,
  )
  expect(headLines()[1]).toMatch(/≥ 95 +≥ 95 +≥ 95 +≥ 95 +≤ 0\.050 +≤ 1\.50$/)
})

it('takes the median of several runs, figure by figure', () => {
  const { measures } = readReport(report)
  const runs = [80, 99, 96].map((performance) => ({ ...measures, performance }))
  expect(medianMeasures(runs)).toEqual({ ...measures, performance: 96 })
})
