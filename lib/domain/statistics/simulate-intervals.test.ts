import { describe, expect, it } from 'vitest'
import { REFERENCE } from './reference.fixture.ts'
import { type SimulationResult, simulateIntervals } from './simulate-intervals.ts'

const ROUNDS = 10_000
const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)

function tableLine(result: SimulationResult): string {
  const size = `${result.tasks} × ${result.repetitions}`.padEnd(10)
  const covers = `${percent(result.clusteredCoverage)} (pooled ${percent(result.pooledCoverage)})`
  const parts = `${percent(result.clusteredSeparation)} (pooled ${percent(result.pooledSeparation)})`
  return `${size} interval covers ${covers} · equal rows separated ${parts}\n`
}

describe('what the intervals promise, simulated', () => {
  it.each([
    [25, 10],
    [25, 20],
    [100, 5],
  ])(
    '%i tasks × %i repetitions',
    (tasks, repetitions) => {
      const result = simulateIntervals({ tasks, repetitions, rounds: ROUNDS, seed: 2026 })
      process.stdout.write(tableLine(result))
      expect(result.clusteredCoverage).toBeGreaterThanOrEqual(0.94)
      expect(result.clusteredCoverage).toBeLessThanOrEqual(0.97)
      expect(result.clusteredSeparation).toBeLessThanOrEqual(0.05)
      expect(result.pooledCoverage).toBeLessThan(0.8)
      expect(result.pooledSeparation).toBeGreaterThan(0.15)
      const known = REFERENCE.pooledVersusClustered.find(
        (row) => row.tasks === tasks && row.repetitions === repetitions,
      )
      expect(Math.abs(result.pooledCoverage - (known?.pooledCoverage ?? 0))).toBeLessThan(0.03)
    },
    60_000,
  )
})
