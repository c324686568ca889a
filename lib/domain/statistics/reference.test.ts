import { describe, expect, it } from 'vitest'
import { benjaminiHochberg, holm } from './adjusted-p-values.ts'
import { tQuantile } from './distributions.ts'
import { clopperPearsonInterval, wilsonInterval } from './intervals.ts'
import { detectableDifference, mcNemarPower, type PowerDesign, tasksNeeded } from './plan-power.ts'
import reference from './reference.json'
import { passK } from './reliability-curve.ts'
import { clusteredStandardError, rowInterval } from './row-interval.ts'
import { countPatterns } from './sign-flip.ts'
import type { StatisticResult } from './statistic-result.ts'

/** Values of scipy 1.17.1, statsmodels 0.15.0 and numpy 2.4.6. */
type Reference = typeof reference

function value<T>(result: StatisticResult<T>): T {
  if (!result.ok) throw new Error(result.refusal.reason)
  return result.value
}

/** Absolute tolerance 1e-9, and 1e-9 of the value where that is less. */
function near(actual: number, expected: number, tolerance = 1e-9): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(
    tolerance * Math.min(1, Math.abs(expected) || 1),
  )
}

function checkProportions(reference: Reference): void {
  for (const { x, n, wilson, clopperPearson } of reference.proportion95) {
    const [score, exact] = [value(wilsonInterval(x, n)), value(clopperPearsonInterval(x, n))]
    near(score.low, wilson[0] as number)
    near(score.high, wilson[1] as number)
    near(exact.low, clopperPearson[0] as number)
    near(exact.high, clopperPearson[1] as number)
  }
}

function checkTests(reference: Reference): void {
  for (const { aOnly, bOnly, exactP } of reference.mcnemar) {
    const [more, less] = [Math.max(aOnly, bOnly), Math.min(aOnly, bOnly)]
    const units = [...Array(more).fill(1), ...Array(less).fill(-1)]
    near(countPatterns(Float64Array.from(units)), exactP)
  }
  for (const { p, adjusted } of reference.benjaminiHochberg) {
    value(benjaminiHochberg(p)).forEach((one, index) => {
      near(one, adjusted[index] as number)
    })
  }
  // Worked out by hand from the definition: p(i)·(m - i + 1), running maximum, at most 1.
  for (const { p, adjusted } of HOLM) {
    value(holm(p)).forEach((one, index) => {
      near(one, adjusted[index] as number)
    })
  }
}

const HOLM = [
  { p: [0.005, 0.009, 0.05, 0.1, 0.2, 0.3], adjusted: [0.03, 0.045, 0.2, 0.3, 0.4, 0.4] },
  { p: [0.01, 0.04, 0.03, 0.02], adjusted: [0.04, 0.06, 0.06, 0.06] },
]

function checkPassK(reference: Reference): void {
  for (const { n, c, k, passAtK, passHatK } of reference.passK) {
    const result = value(passK(n, c, k))
    near(result.passAtK, passAtK)
    near(result.passHatK, passHatK)
  }
}

function checkClusters(reference: Reference): void {
  for (const [df, t] of Object.entries(reference.tQuantile975))
    near(tQuantile(0.975, Number(df)), t)
  const { x, clusterSize, mean, seCorrected } = reference.clustered
  const tallies = Array.from({ length: x.length / clusterSize }, (_, task) => {
    const part = x.slice(task * clusterSize, (task + 1) * clusterSize)
    return { taskId: `${task}`, solved: part.reduce((a, b) => a + b, 0), scored: clusterSize }
  })
  const row = value(rowInterval(tallies))
  near(row.rate, mean)
  near(row.standardError as number, seCorrected)
  near(clusteredStandardError(tallies.map((t) => t.solved / t.scored)), seCorrected)
}

function checkPlanner(reference: Reference): void {
  const { wSquared, sSquared, alpha, power, rows } = reference.minDetectable
  const design = (tasks: number, repetitions: number): PowerDesign => ({
    tasks,
    repetitionsA: repetitions,
    repetitionsB: repetitions,
    wSquared,
    sSquaredA: sSquared,
    sSquaredB: sSquared,
    alpha,
    power,
  })
  // The file shows these with four decimals.
  for (const { tasks, repetitions, mde } of rows) {
    expect(value(detectableDifference(design(tasks, repetitions)))).toBeCloseTo(mde, 4)
  }
  near(value(tasksNeeded(0.03, design(1, 1))), reference.tasksNeededFor3Points.K1)
  near(value(tasksNeeded(0.03, design(1, 10))), reference.tasksNeededFor3Points.K10)
  for (const one of reference.exactMcNemarPower) {
    near(value(mcNemarPower({ p10: one.p10, p01: one.p01, tasks: one.n, alpha: 0.05 })), one.power)
  }
}

const CHECKS = { checkProportions, checkTests, checkPassK, checkClusters, checkPlanner }

describe('reference values to 1e-9', () => {
  it.each(Object.entries(CHECKS))('%s', (_, check) => check(reference))
})
