import { POLICY_VERSION } from '../eligibility/policy.ts'
import { COVERAGE_DESIGN, type SampleSize, simulateCoverage } from './simulate-coverage.ts'
import { DIFFERENCE_DESIGN, simulateDifferences } from './simulate-differences.ts'
import { SIMULATION_DESIGNS, simulateIntervals } from './simulate-intervals.ts'
import type { TaskPopulation } from './task-populations.ts'

/** What `npm run simulate` writes down and the methodology page shows: designs and what they gave. Shares lie in 0–1. */
export function simulationRecord(designs = SIMULATION_DESIGNS) {
  const results = designs.map((design) => ({ ...design, ...simulateIntervals(design) }))
  return { policyVersion: POLICY_VERSION, results }
}

/** The coverage tables: every size × population, one list of means each. Takes minutes. */
export function coverageRecord() {
  const { populations, sizes, fewSizes, ...design } = COVERAGE_DESIGN
  const { shared, alpha, means } = DIFFERENCE_DESIGN
  const each = <T>(list: readonly SampleSize[], of: (size: SampleSize, id: TaskPopulation) => T) =>
    list.flatMap((size) => populations.map((population) => of(size, population)))
  return {
    coverage: {
      ...design,
      rows: each(sizes, simulateCoverage),
      fewTasks: each(fewSizes, simulateCoverage),
    },
    differences: {
      shared,
      alpha,
      means: means.map((pair) => [...pair]),
      rows: each(sizes, simulateDifferences),
    },
  }
}
export type SimulationRecord = ReturnType<typeof simulationRecord> &
  ReturnType<typeof coverageRecord>

/**
 * Cells that missed a goal beyond what the rounds leave to chance (two standard errors), one sentence each: coverage of
 * rows, of these tasks and of differences, and equal rows called different.
 */
export function missedCoverage({ coverage, differences }: SimulationRecord): string[] {
  const { goal, rounds, means, rows } = coverage
  const least = goal - slack(goal, rounds)
  const most = differences.alpha + slack(differences.alpha, rounds)
  const missed: string[] = []
  const check = (
    what: string,
    row: { tasks: number; repetitions: number; population: string },
    list: readonly (number | null)[],
    isMissed: (value: number) => boolean,
    at: readonly unknown[],
  ) => {
    list.forEach((value, index) => {
      if (value === null || !isMissed(value)) return
      const place = `${row.population} ${row.tasks} × ${row.repetitions} at ${String(at[index])}`
      missed.push(`${what}, ${place}: ${(100 * value).toFixed(1)} %`)
    })
  }
  for (const row of rows) {
    check('tasks like these', row, row.coverage, (value) => value < least, means)
    check('these tasks', row, row.theseTasksCoverage, (value) => value < least, means)
  }
  for (const row of differences.rows) {
    check('difference', row, row.coverage, (value) => value < least, differences.means)
    check('equal rows', row, row.falsePositive, (value) => value > most, differences.means)
  }
  return missed
}

function slack(share: number, rounds: number): number {
  return 2 * Math.sqrt((share * (1 - share)) / rounds)
}
