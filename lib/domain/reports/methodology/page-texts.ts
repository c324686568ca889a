import { RANKING_METHOD } from '../../board/index.ts'
import { failureCategorySchema } from '../../record/index.ts'
import {
  CURVE_METHODS,
  compareVerdict,
  costMethod,
  fewTasksNote,
  mcNemarMethod,
  QUANTILE_METHOD,
  ROW_METHODS,
  SIGN_FLIP_METHOD,
} from '../../statistics/index.ts'
import { formatLevel } from '../../text/index.ts'
import {
  listStricter,
  type MethodologyConstants,
  type MethodologyInput,
} from './methodology-constants.ts'
import type { Placeholders } from './parse-page.ts'

/** Values of the placeholders in sentences, by name. */
export function pageTexts(input: MethodologyInput): Placeholders['texts'] {
  const { constants, words } = input
  const { policy, confidence, planner, noProgress } = constants
  return {
    ...statisticsTexts(constants),
    ...simulationTexts(constants),
    policyVersion: String(policy.version),
    protocolVersion: String(constants.protocolVersion),
    episodeSchemaVersion: String(constants.episodeSchemaVersion),
    failureCategories: failureCategorySchema.options.join(', '),
    failingCalls: String(noProgress.failingCalls),
    identicalCalls: String(noProgress.identicalCalls),
    unchangedSteps: String(noProgress.unchangedSteps),
    fewestRows: String(constants.fewestRows),
    knownCutoffs: String(constants.knownCutoffs),
    stricterSuites: stricterText(input),
    weakestProvenance: words.provenance[policy.weakestProvenance].level,
    evaluationTries: String(constants.evaluationTries),
    voidShare: percentText(policy.thresholds.voidShare),
    confidence: percentText(confidence),
    power: percentText(planner.power),
    powerLevel: percentText(planner.alpha),
    wSquared: number(planner.wSquared),
    sSquared: `${number(planner.sSquaredA)} and ${number(planner.sSquaredB)}`,
  }
}

function stricterText(input: MethodologyInput): string {
  return listStricter(input).length > 0
    ? 'A suite’s own threshold applies to its board if it is stricter.'
    : 'A suite can set stricter thresholds; none of the suites on this server does.'
}

function statisticsTexts(constants: MethodologyConstants): Record<string, string> {
  const { ranking, comparison, cost, fewTasks } = constants
  return {
    ...verdictTexts(comparison),
    intervalOfTasks: ROW_METHODS.tasks('T tasks'),
    intervalOfFamilies: ROW_METHODS.families('F families', 'T tasks'),
    intervalOfTheseTasks: ROW_METHODS.theseTasks,
    intervalOfOneTask: ROW_METHODS.oneTask,
    unequalRepetitions: ROW_METHODS.unequal.replace(/^; /, ''),
    fewTasks: String(fewTasks),
    fewTasksNote: fewTasksNote(fewTasks - 1),
    rankingMethod: RANKING_METHOD,
    rankingLevel: percentText(ranking.alpha),
    rankingConfidence: percentText(1 - ranking.alpha),
    fewestTasks: String(ranking.fewestTasks),
    comparisonLevel: percentText(comparison.alpha),
    signFlip: SIGN_FLIP_METHOD,
    mcNemar: mcNemarMethod('the', 'T tasks'),
    passKBand: CURVE_METHODS.tasks('T tasks'),
    passKOneTask: CURVE_METHODS.oneTask,
    costLevel: percentText(cost.level),
    costMethod: costMethod('T tasks', cost),
    quantileMethod: QUANTILE_METHOD,
  }
}

/** Describes each verdict as the comparison does. */
function verdictTexts({ alpha, smallDifference }: MethodologyConstants['comparison']) {
  const speak = (difference: number, half: number, p: number) => {
    const tested = { difference, low: difference - half, high: difference + half, p }
    return compareVerdict(tested, alpha).text
  }
  return {
    verdictBetter: speak(smallDifference, 0, 0),
    verdictWorse: speak(-smallDifference, 0, 0),
    verdictNoLarger: speak(0, smallDifference, 1),
    verdictNone: speak(0, 1, 1),
    smallDifference: number(100 * smallDifference),
  }
}

function simulationTexts({ simulation, errors }: MethodologyConstants): Record<string, string> {
  const { population, record } = simulation
  const { goals, prices } = errors
  return {
    coverageRounds: String(record.coverage.rounds),
    coverageSeed: String(record.coverage.seed),
    coverageGoal: percentText(record.coverage.goal),
    sharedDifficulty: number(record.differences.shared),
    differenceLevel: percentText(record.differences.alpha),
    populationTasks: String(population.tasks),
    populationShape: number(population.shape),
    populationShared: number(population.shared),
    simulationPolicy: String(record.policyVersion),
    setsHoldGoal: percentText(goals.setsHold),
    powerFrom: percentText(goals.power.from),
    powerTo: percentText(goals.power.to),
    priceOfOneLook: String(prices[0]),
    priceOfTwoLooks: String(prices[1]),
    looksGoal: percentText(goals.looks),
    armsGoal: percentText(goals.arms),
    errorsPolicy: String(errors.record.policyVersion),
  }
}

/** Formats a share of 0–1 as per cent with up to two decimals: `5 %`, without a line break. */
export function percentText(share: number): string {
  return formatLevel(share).replace(' ', '\u00a0')
}

/** Formats a number with up to four decimals. */
function number(value: number): string {
  return String(Number(value.toFixed(4)))
}
