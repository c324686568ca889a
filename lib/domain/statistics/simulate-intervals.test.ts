import { describe, expect, it } from 'vitest'
import kept from '../methodology/simulation.json' with { type: 'json' }
import { REFERENCE } from './reference.fixture.ts'
import { SIMULATION_DESIGNS } from './simulate-intervals.ts'
import { simulationRecord } from './simulation-record.ts'

describe('what the intervals promise, simulated', () => {
  it('shows every design on the methodology page', () => {
    expect(kept.results).toHaveLength(SIMULATION_DESIGNS.length)
  })

  it.each(SIMULATION_DESIGNS.map((design, index) => [design.tasks, design.repetitions, index]))(
    '%i tasks × %i repetitions',
    (tasks, repetitions, index) => {
      const design = SIMULATION_DESIGNS[index]
      const { policyVersion, results } = simulationRecord(design ? [design] : [])
      const [result] = results
      if (!result) throw new Error('nothing was simulated')
      expect(result.clusteredCoverage).toBeGreaterThanOrEqual(0.94)
      expect(result.clusteredCoverage).toBeLessThanOrEqual(0.97)
      expect(result.clusteredSeparation).toBeLessThanOrEqual(0.05)
      expect(result.pooledCoverage).toBeLessThan(0.8)
      expect(result.pooledSeparation).toBeGreaterThan(0.15)
      const known = REFERENCE.pooledVersusClustered.find(
        (row) => row.tasks === tasks && row.repetitions === repetitions,
      )
      expect(Math.abs(result.pooledCoverage - (known?.pooledCoverage ?? 0))).toBeLessThan(0.03)
      expect(kept.results[index], 'run `npm run simulate`').toEqual(result)
      expect(kept.policyVersion, 'run `npm run simulate`').toBe(policyVersion)
    },
    60_000,
  )
})
