import { describe, expect, it } from 'vitest'
import { countDraws } from '#lib/testing/cases/draws.ts'
import kept from '../../../domain/reports/methodology/simulation.json' with { type: 'json' }
import reference from '../../../domain/statistics/reference.json'
import { COVERAGE_DESIGN, simulateCoverage } from './simulate-coverage.ts'
import { DIFFERENCE_DESIGN, SIMULATION_DESIGNS, simulateDifferences } from './simulate-intervals.ts'
import { missedCoverage, simulationRecord } from './simulation-record.ts'

/** One design checks that the stored figures are of this code; `npm run test:all` simulates every one. */
const AGAIN = countDraws(SIMULATION_DESIGNS.length, 1)

describe('what the intervals promise, simulated', () => {
  it('shows every design on the methodology page', () => {
    expect(kept.results).toHaveLength(SIMULATION_DESIGNS.length)
  })

  const designs = SIMULATION_DESIGNS.map(({ tasks, repetitions }) => [tasks, repetitions] as const)
  it.each(designs.slice(0, AGAIN).map((design, index) => [...design, index] as const))(
    '%i tasks × %i repetitions',
    (tasks, repetitions, index) => {
      const design = SIMULATION_DESIGNS[index]
      const { policyVersion, results } = simulationRecord(design ? [design] : [])
      const [result] = results
      if (!result) throw new Error('nothing was simulated')
      expect(result.clusteredCoverage).toBeGreaterThanOrEqual(0.94)
      // Not closer to 95 %, because the interval must also work where rare tasks are hard.
      expect(result.clusteredCoverage).toBeLessThanOrEqual(0.98)
      expect(result.clusteredSeparation).toBeLessThanOrEqual(0.05)
      expect(result.pooledCoverage).toBeLessThan(0.8)
      expect(result.pooledSeparation).toBeGreaterThan(0.15)
      const known = reference.pooledVersusClustered.find(
        (row) => row.tasks === tasks && row.repetitions === repetitions,
      )
      expect(Math.abs(result.pooledCoverage - (known?.pooledCoverage ?? 0))).toBeLessThan(0.03)
      expect(kept.results[index], 'run `npm run simulate`').toEqual(result)
      expect(kept.policyVersion, 'run `npm run simulate`').toBe(policyVersion)
    },
  )
})

describe('the coverage tables', () => {
  const { sizes, fewSizes, populations, means, goal } = COVERAGE_DESIGN

  it('hold every cell of the design, and meet every goal', () => {
    expect(sizes.length * populations.length).toBe(36)
    expect(kept.coverage.rows).toHaveLength(sizes.length * populations.length)
    expect(kept.coverage.fewTasks).toHaveLength(fewSizes.length * populations.length)
    expect(kept.differences.rows).toHaveLength(sizes.length * populations.length)
    for (const row of [...kept.coverage.rows, ...kept.coverage.fewTasks]) {
      for (const list of [row.coverage, row.theseTasksCoverage]) {
        expect(list).toHaveLength(means.length)
        expect(Math.min(...list), `${row.population} ${row.tasks}`).toBeGreaterThanOrEqual(goal)
      }
    }
    expect(missedCoverage(kept)).toEqual([])
  })

  it('name every cell that misses: a row too narrow, equal rows called different', () => {
    const [first] = kept.coverage.rows
    const [pair] = kept.differences.rows
    if (!first || !pair) throw new Error('nothing was stored')
    const worse = {
      ...kept,
      coverage: { ...kept.coverage, rows: [{ ...first, coverage: [0.99, 0.92] }] },
      differences: { ...kept.differences, rows: [{ ...pair, falsePositive: [0.07, null] }] },
    }
    expect(missedCoverage(worse)).toEqual([
      'tasks like these, u-shaped 12 × 20 at 0.2: 92.0 %',
      'equal rows, u-shaped 12 × 20 at 0.05,0.05: 7.0 %',
    ])
  })

  it('come out the same again, and better than the t interval near the edges', () => {
    const size = { tasks: 12, repetitions: 20 }
    const known = kept.coverage.rows.find(
      (row) => row.tasks === size.tasks && row.population === 'rare-hard',
    )
    expect(simulateCoverage(size, 'rare-hard'), 'run `npm run simulate`').toEqual(known)
    expect(known?.tCoverage[3]).toBeLessThan(0.8)
    const mid = kept.coverage.rows.find(
      (row) => row.tasks === 25 && row.repetitions === 10 && row.population === 'u-shaped',
    )
    expect((mid?.width[2] ?? 1) / (mid?.tWidth[2] ?? 0)).toBeLessThan(1.15)
  })

  it.each([3].slice(0, countDraws(1, 0)))(
    'of differences come out the same again',
    (repetitions) => {
      const pairs = { tasks: 25, repetitions }
      expect(
        simulateDifferences(pairs, 'equal', DIFFERENCE_DESIGN),
        'run `npm run simulate`',
      ).toEqual(
        kept.differences.rows.find(
          (row) =>
            row.tasks === 25 && row.repetitions === repetitions && row.population === 'equal',
        ),
      )
    },
  )
})
