import { SHIPPED_CUTOFFS } from '../../board/index.ts'
import {
  ELIGIBILITY_RULES,
  type EvidenceLabel,
  POLICY,
  type Rule,
  type RuleCode,
} from '../../eligibility/index.ts'
import { POWER } from '../../planner/index.ts'
import {
  BROWSER_FAULTS,
  MAX_TRIES,
  NEAR_RATIO,
  NO_PROGRESS,
  type OutcomeStatus,
  type Provenance,
  REPORTED_SCHEMA_VERSION,
  rungSchema,
  targetingSchema,
  verifierSandboxSchema,
} from '../../record/index.ts'
import { SETTING_LIST, settingsSchema } from '../../settings/index.ts'
import {
  ASSUMED_VARIANCES,
  COMPARISON_ALPHA,
  CONFIDENCE,
  COST_OPTIONS,
  FEW_TASKS,
  lookPrice,
  MIN_ROWS,
  MIN_TASKS,
  RANK_OPTIONS,
  SMALL_DIFFERENCE,
} from '../../statistics/index.ts'
import { ASSERTION_KINDS, PROTOCOL_VERSION, type SuiteThresholds } from '../../tasks/index.ts'
import { FINDINGS } from './findings.ts'
import simulation from './simulation.json'
import errors from './simulation-errors.json'
import {
  ERROR_GOALS,
  POPULATION_TITLES,
  SIMULATED_POPULATION,
  STOP_GOALS,
} from './simulation-goals.ts'
import stops from './simulation-stops.json'
import { THREATS } from './threats.ts'

/** Random sign patterns are no longer drawn; the API keeps the fields. */
const NO_PATTERNS = { seed: 0, resamples: 0 }

/** Every number and rule on the methodology pages, read from the code that uses it. */
export const METHODOLOGY_CONSTANTS = {
  policy: POLICY,
  rules: ELIGIBILITY_RULES as readonly Rule<RuleCode>[],
  settings: {
    list: SETTING_LIST.map(({ key, name, sameRow }) => ({ key, name, sameRow })),
    /** The largest difference of values that still share an entry. */
    nearShare: NEAR_RATIO - 1,
  },
  confidence: CONFIDENCE,
  fewTasks: FEW_TASKS,
  /** Minimum rows for statistics about a single task. */
  fewestRows: MIN_ROWS,
  /** Models with a shipped training cut-off; aliases are not counted. */
  knownCutoffs: SHIPPED_CUTOFFS.flatMap(({ models }) => models).length,
  ranking: { ...RANK_OPTIONS, ...NO_PATTERNS, fewestTasks: MIN_TASKS },
  comparison: {
    alpha: COMPARISON_ALPHA,
    smallDifference: SMALL_DIFFERENCE,
    enumeratedTasks: 0,
    random: { patterns: 0, seed: 0 },
  },
  cost: COST_OPTIONS,
  planner: { ...ASSUMED_VARIANCES, ...POWER },
  noProgress: NO_PROGRESS,
  threats: THREATS,
  findings: FINDINGS,
  isolationLevels: settingsSchema.shape.isolation.options,
  verifierSandboxes: verifierSandboxSchema.shape.sandbox.options,
  browser: {
    faults: BROWSER_FAULTS,
    rungs: rungSchema.options,
    targetings: targetingSchema.options,
    assertions: ASSERTION_KINDS,
  },
  /** Maximum tries of an evaluation that fails for internal reasons. */
  evaluationTries: MAX_TRIES,
  episodeSchemaVersion: REPORTED_SCHEMA_VERSION,
  protocolVersion: PROTOCOL_VERSION,
  simulation: {
    population: SIMULATED_POPULATION,
    titles: POPULATION_TITLES,
    record: simulation,
  },
  // Results stored by `npm run simulate`; a test computes them again.
  errors: {
    goals: ERROR_GOALS,
    record: errors,
    /** Factors of p-values after one top-up, and after two. */
    prices: [lookPrice({ stages: 2, states: 1 }), lookPrice({ stages: 3, states: 1 })] as const,
  },
  stops: { goals: STOP_GOALS, record: stops },
}

export type MethodologyConstants = typeof METHODOLOGY_CONSTANTS

type Words = { word: string; meaning: string }

/** Descriptions of the codes; the types require one for each. */
type MethodologyWords = {
  outcomes: Record<OutcomeStatus, Words>
  labels: Record<EvidenceLabel, Words>
  provenance: Record<Provenance, Words & { level: string }>
}

export type MethodologyInput = {
  constants: MethodologyConstants
  words: MethodologyWords
  suites: readonly SuiteThresholds[]
}

/** Lists suites whose thresholds are stricter than the policy's. */
export function listStricter({ constants, suites }: MethodologyInput): SuiteThresholds[] {
  const { thresholds } = constants.policy
  return suites.filter(
    ({ thresholds: own }) =>
      own.aggregateEpisodes !== thresholds.aggregateEpisodes ||
      own.perTaskEpisodes !== thresholds.perTaskEpisodes ||
      own.voidShare !== thresholds.voidShare,
  )
}
