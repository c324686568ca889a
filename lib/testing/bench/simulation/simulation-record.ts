import { POLICY_VERSION } from '../../../domain/eligibility/index.ts'
import {
  ERROR_GOALS,
  type TaskPopulation,
} from '../../../domain/reports/methodology/simulation-goals.ts'
import {
  ASSUMED_VARIANCES,
  detectableBySimulation,
  RANK_OPTIONS,
  simulatedPower,
} from '../../../domain/statistics/index.ts'
import { ARM_DESIGNS, simulateArms } from './simulate-arms.ts'
import { BOARD_DESIGNS, LOOK_DESIGNS, simulateBoards, simulateLooks } from './simulate-boards.ts'
import { COVERAGE_DESIGN, type SampleSize, simulateCoverage } from './simulate-coverage.ts'
import {
  DIFFERENCE_DESIGN,
  SIMULATION_DESIGNS,
  simulateDifferences,
  simulateIntervals,
} from './simulate-intervals.ts'

/** The data of the methodology page, as stored by `npm run simulate`: designs and results. Shares are in 0–1. */
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
 * Returns one sentence per design that missed a goal by more than two standard errors of the simulation: coverage of
 * rows, of these tasks and of differences, and equal rows called different.
 */
export function missedCoverage({ coverage, differences }: SimulationRecord): string[] {
  const { goal, rounds, means, rows } = coverage
  const min = goal - slack(goal, rounds)
  const max = differences.alpha + slack(differences.alpha, rounds)
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
    check('tasks like these', row, row.coverage, (value) => value < min, means)
    check('these tasks', row, row.theseTasksCoverage, (value) => value < min, means)
  }
  for (const row of differences.rows) {
    check('difference', row, row.coverage, (value) => value < min, differences.means)
    check('equal rows', row, row.falsePositive, (value) => value > max, differences.means)
  }
  return missed
}

function slack(share: number, rounds: number): number {
  return 2 * Math.sqrt((share * (1 - share)) / rounds)
}

/** A design for which the planner names a detectable difference, for a pool of this many ranked rows. */
type PowerCase = {
  tasks: number
  repetitions: number
  poolRows: number
  rounds: number
  seed: number
}

export const POWER_CASES: readonly PowerCase[] = [2, 8].flatMap((poolRows) =>
  [
    [12, 10],
    [25, 3],
    [25, 10],
    [50, 3],
    [100, 5],
  ].map(([tasks = 0, repetitions = 0]) => ({
    tasks,
    repetitions,
    poolRows,
    rounds: 10_000,
    seed: 4001,
  })),
)

/**
 * Simulates the difference that the planner calls detectable, with other random numbers, and returns its true power.
 */
export function simulatePlan({ tasks, repetitions, poolRows, rounds, seed }: PowerCase): {
  detectable: number | null
  power: number | null
} {
  const pairs = (poolRows * (poolRows - 1)) / 2
  const rows = { tasks, repetitionsA: repetitions, repetitionsB: repetitions }
  const design = { ...rows, ...ASSUMED_VARIANCES, alpha: RANK_OPTIONS.alpha / pairs, power: 0.8 }
  const found = detectableBySimulation(design)
  if (!found.ok) return { detectable: null, power: null }
  const power = simulatedPower(found.value, design, { rounds, seed })
  return { detectable: Math.round(1e6 * found.value) / 1e6, power }
}

/** Computes every table about errors, as stored. */
export function errorRecord() {
  return {
    policyVersion: POLICY_VERSION,
    boards: BOARD_DESIGNS.map((design) => ({ ...design, ...simulateBoards(design) })),
    plans: POWER_CASES.map((design) => ({ ...design, ...simulatePlan(design) })),
    looks: LOOK_DESIGNS.map((design) => ({ ...design, ...simulateLooks(design) })),
    arms: ARM_DESIGNS.map((design) => ({ ...design, ...simulateArms(design) })),
  }
}
export type ErrorRecord = ReturnType<typeof errorRecord>

/** Returns one sentence per goal that a record misses. */
export function missedGoals({
  boards,
  plans,
  looks,
  arms,
}: Pick<ErrorRecord, 'boards' | 'plans' | 'looks' | 'arms'>): string[] {
  const percent = (share: number | null) =>
    share === null ? 'unknown' : `${(100 * share).toFixed(1)} %`
  const size = (one: { tasks: number; repetitions: number }) => `${one.tasks} × ${one.repetitions}`
  return [
    ...boards.flatMap((one) =>
      one.setsHold >= ERROR_GOALS.setsHold
        ? []
        : [`${one.name}, ${size(one)}: rank sets hold together in ${percent(one.setsHold)}.`],
    ),
    ...boards.flatMap((one) =>
      one.anyFalse <= ERROR_GOALS.anyFalse
        ? []
        : [`${one.name}, ${size(one)}: some verdict is false in ${percent(one.anyFalse)}.`],
    ),
    ...plans.flatMap((one) => {
      const { from, to } = ERROR_GOALS.power
      if (one.power !== null && one.power >= from && one.power <= to) return []
      return [`Plan ${size(one)}, pool of ${one.poolRows}: power ${percent(one.power)}.`]
    }),
    ...looks.flatMap((one) =>
      one.judged <= ERROR_GOALS.looks
        ? []
        : [`${one.looks} looks, ${one.kind}, ${size(one)}: false in ${percent(one.judged)}.`],
    ),
    ...arms.flatMap((one) =>
      one.effect > 0 || one.any <= ERROR_GOALS.arms
        ? []
        : [`A/A, ${one.arms} arms, ${size(one)}: some verdict in ${percent(one.any)}.`],
    ),
  ]
}
