import { SHIPPED_CUTOFFS } from '../../board/index.ts'
import {
  ELIGIBILITY_RULES,
  type EvidenceLabel,
  POLICY,
  type Policy,
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
  type Rung,
  rungSchema,
  type Targeting,
  targetingSchema,
  type VerifierSandbox,
  verifierSandboxSchema,
} from '../../record/index.ts'
import {
  type ListedSetting,
  SETTING_LIST,
  type Settings,
  settingsSchema,
} from '../../settings/index.ts'
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
import {
  ASSERTION_KINDS,
  type AssertionSpec,
  PROTOCOL_VERSION,
  type SuiteThresholds,
} from '../../tasks/index.ts'
import { FINDINGS, type Finding } from './findings.ts'
import simulation from './simulation.json'
import errors from './simulation-errors.json'
import {
  ERROR_GOALS,
  POPULATION_TITLES,
  SIMULATED_POPULATION,
  STOP_GOALS,
} from './simulation-goals.ts'
import stops from './simulation-stops.json'
import type { Threat } from './threats.ts'
import { THREATS } from './threats.ts'

/** Every number and rule on the methodology pages, read from the code that uses it. */
export type MethodologyConstants = {
  policy: Policy
  rules: readonly Rule<RuleCode>[]
  /** Every setting, and the largest difference of values that still share an entry. */
  settings: { list: readonly Pick<ListedSetting, 'key' | 'name' | 'sameRow'>[]; nearShare: number }
  confidence: number
  fewTasks: number
  /** Minimum rows for statistics about a single task. */
  fewestRows: number
  /** Models with a shipped training cut-off; aliases are not counted. */
  knownCutoffs: number
  ranking: typeof RANK_OPTIONS & typeof NO_PATTERNS & { fewestTasks: number }
  comparison: {
    alpha: number
    smallDifference: number
    enumeratedTasks: number
    random: { patterns: number; seed: number }
  }
  cost: typeof COST_OPTIONS
  planner: typeof ASSUMED_VARIANCES & typeof POWER
  noProgress: typeof NO_PROGRESS
  threats: readonly Threat[]
  findings: readonly Finding[]
  isolationLevels: readonly Settings['isolation'][]
  verifierSandboxes: readonly VerifierSandbox['sandbox'][]
  browser: {
    faults: typeof BROWSER_FAULTS
    rungs: readonly Rung[]
    targetings: readonly Targeting[]
    assertions: readonly AssertionSpec['kind'][]
  }
  /** Maximum tries of an evaluation that fails for internal reasons. */
  evaluationTries: number
  episodeSchemaVersion: number
  protocolVersion: number
  simulation: {
    population: typeof SIMULATED_POPULATION
    titles: Record<string, string>
    record: typeof simulation
  }
  errors: {
    goals: typeof ERROR_GOALS
    record: typeof errors
    /** Factors of p-values after one top-up, and after two. */
    prices: readonly [number, number]
  }
  stops: { goals: typeof STOP_GOALS; record: typeof stops }
}

/** Random sign patterns are no longer drawn; the API keeps the fields. */
const NO_PATTERNS = { seed: 0, resamples: 0 }

export const METHODOLOGY_CONSTANTS: MethodologyConstants = {
  policy: POLICY,
  rules: ELIGIBILITY_RULES,
  settings: {
    list: SETTING_LIST.map(({ key, name, sameRow }) => ({ key, name, sameRow })),
    nearShare: NEAR_RATIO - 1,
  },
  confidence: CONFIDENCE,
  fewTasks: FEW_TASKS,
  fewestRows: MIN_ROWS,
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
    prices: [lookPrice({ stages: 2, states: 1 }), lookPrice({ stages: 3, states: 1 })],
  },
  stops: { goals: STOP_GOALS, record: stops },
}

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
