/** Public API of this module; other modules import only this file. */
export {
  type ChangePair,
  type ChangeTest,
  changeSteps,
  type JudgedChanges,
  testChanges,
} from './change-test.ts'
export * from './cost-per-success.ts'
export {
  nearestRank,
  QUANTILE_METHOD,
  sampleQuantile,
  sampleQuantiles,
  tQuantile,
} from './distributions.ts'
export { familiesOf, largestFamily, MIN_FAMILIES } from './families.ts'
export { CONFIDENCE, clopperPearsonInterval, wilsonInterval } from './intervals.ts'
export * from './item-statistics.ts'
export { furtherPrice, type Looks, lookPrice, PLANNED } from './looks.ts'
export {
  COMPARISON_ALPHA,
  type ComparedPair,
  type CompareVerdict,
  comparePairs,
  compareRows,
  compareSteps,
  compareVerdict,
  mcNemarMethod,
  type RowComparison,
  type RowTaskCounts,
  SIGN_FLIP_METHOD,
  SMALL_DIFFERENCE,
} from './paired-difference.ts'
export {
  ASSUMED_VARIANCES,
  detectableByMcNemar,
  detectableDifference,
  expectedHalfWidth,
  type PowerDesign,
} from './plan-power.ts'
export { MIN_TASKS, RANK_OPTIONS, RankMemory, rankRows } from './rank-rows.ts'
export { CURVE_METHODS, meanPassK, type PassK, reliabilityCurve } from './reliability-curve.ts'
export { compareRounds } from './repetition-shock.ts'
export {
  estimateDifferenceVariance,
  estimateVariances,
  FEW_TASKS,
  fewTasksNote,
  pooledDifferenceVariance,
  ROW_METHODS,
  type RowVariances,
  rowInterval,
} from './row-interval.ts'
export * from './runs-needed.ts'
export * from './seeded-generator.ts'
export * from './sensitivity.ts'
export { detectableBySimulation, POWER_SIMULATION, simulatedPower } from './simulated-power.ts'
export { STATISTIC_REFUSAL_CODES, type StatisticResult } from './statistic-result.ts'
export * from './stop-rule.ts'
export { countRetriedVoids, countTasks, type TaskCounts } from './task-counts.ts'
export * from './task-effects.ts'
