import type { EvidenceLabel } from '../board/board-row.ts'
import type { Provenance } from '../board/episode-fact.ts'
import { BROWSER_FAULTS } from '../browser/browser-fault.ts'
import {
  type Rung,
  rungSchema,
  type Targeting,
  targetingSchema,
} from '../browser/browser-record.ts'
import { ASSERTION_KINDS, type AssertionSpec } from '../browser/contract-spec.ts'
import { GATE_RULES } from '../eligibility/gate-rules.ts'
import { POLICY, type Policy, type Thresholds } from '../eligibility/policy.ts'
import type { Rule } from '../eligibility/rule.ts'
import { type VerifierSandbox, verifierSandboxSchema } from '../environment.ts'
import { EPISODE_SCHEMA_VERSION } from '../episode.ts'
import { MOST_TRIES } from '../evaluation/evaluation.ts'
import { SHIPPED_CUTOFFS } from '../models/model-cutoff.ts'
import { NO_PROGRESS } from '../no-progress.ts'
import type { OutcomeStatus } from '../outcome.ts'
import { type Settings, settingsSchema } from '../plan.ts'
import { POWER } from '../planner/find-power.ts'
import { SMALL_DIFFERENCE } from '../statistics/compare-verdict.ts'
import { COST_OPTIONS } from '../statistics/cost-per-success.ts'
import { MOST_ENUMERATED_TASKS } from '../statistics/enumerated-sign-flip.ts'
import { ERROR_GOALS, type ErrorRecord } from '../statistics/error-record.ts'
import { FEWEST_ROWS } from '../statistics/item-statistics.ts'
import { lookPrice } from '../statistics/looks.ts'
import { COMPARISON_ALPHA } from '../statistics/paired-difference.ts'
import { ASSUMED_VARIANCES } from '../statistics/plan-power.ts'
import { CONFIDENCE } from '../statistics/proportion-interval.ts'
import { FEWEST_TASKS, RANK_OPTIONS } from '../statistics/rank-rows.ts'
import { FEW_TASKS } from '../statistics/row-interval.ts'
import { RANDOM_CURVE } from '../statistics/sign-flip-curve.ts'
import { SIMULATED_POPULATION } from '../statistics/simulate-intervals.ts'
import type { SimulationRecord } from '../statistics/simulation-record.ts'
import { TASK_POPULATIONS } from '../statistics/task-populations.ts'
import { PROTOCOL_VERSION } from '../suite.ts'
import { FINDINGS, type Finding } from './findings.ts'
import simulation from './simulation.json' with { type: 'json' }
import errors from './simulation-errors.json' with { type: 'json' }
import type { Threat } from './threat.ts'
import { THREATS } from './threats.ts'

/** Every number and rule that the methodology page speaks of, read from where the code uses it. */
export type MethodologyConstants = {
  policy: Policy
  rules: readonly Rule[]
  confidence: number
  fewTasks: number
  /** Rows that it takes to say anything of a single task. */
  fewestRows: number
  /** Models whose cut-off is shipped, every name counted once. */
  knownCutoffs: number
  ranking: typeof RANK_OPTIONS & { fewestTasks: number }
  comparison: {
    alpha: number
    smallDifference: number
    enumeratedTasks: number
    random: typeof RANDOM_CURVE
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
  /** How often an evaluation that has trouble of its own is tried. */
  evaluationTries: number
  episodeSchemaVersion: number
  protocolVersion: number
  simulation: {
    population: typeof SIMULATED_POPULATION
    titles: Record<string, string>
    record: SimulationRecord
  }
  errors: {
    goals: typeof ERROR_GOALS
    record: ErrorRecord
    /** What p-values are multiplied by after one top-up, and after two. */
    prices: readonly [number, number]
  }
}

export const METHODOLOGY_CONSTANTS: MethodologyConstants = {
  policy: POLICY,
  rules: GATE_RULES,
  confidence: CONFIDENCE,
  fewTasks: FEW_TASKS,
  fewestRows: FEWEST_ROWS,
  knownCutoffs: SHIPPED_CUTOFFS.flatMap(({ models }) => models).length,
  ranking: { ...RANK_OPTIONS, fewestTasks: FEWEST_TASKS },
  comparison: {
    alpha: COMPARISON_ALPHA,
    smallDifference: SMALL_DIFFERENCE,
    enumeratedTasks: MOST_ENUMERATED_TASKS,
    random: RANDOM_CURVE,
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
  evaluationTries: MOST_TRIES,
  episodeSchemaVersion: EPISODE_SCHEMA_VERSION,
  protocolVersion: PROTOCOL_VERSION,
  simulation: {
    population: SIMULATED_POPULATION,
    titles: Object.fromEntries(
      Object.entries(TASK_POPULATIONS).map(([population, { title }]) => [population, title]),
    ),
    record: simulation,
  },
  // What was read from a file is what `npm run simulate` wrote; a test computes it again.
  errors: {
    goals: ERROR_GOALS,
    record: errors as ErrorRecord,
    prices: [lookPrice({ stages: 2, states: 1 }), lookPrice({ stages: 3, states: 1 })],
  },
}

type Words = { word: string; meaning: string }

/** The words that the pages use for what the code names; one for each, or the types complain. */
export type MethodologyWords = {
  outcomes: Record<OutcomeStatus, Words>
  labels: Record<EvidenceLabel, Words>
  provenance: Record<Provenance, Words & { level: string }>
}

/** A suite with the thresholds that hold on its board. */
export type SuiteThresholds = { suiteId: string; title: string; thresholds: Thresholds }

export type MethodologyInput = {
  constants: MethodologyConstants
  words: MethodologyWords
  suites: readonly SuiteThresholds[]
}
