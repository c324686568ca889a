import { z } from 'zod'
import { policySchema, RULE_CODES } from '../../eligibility/index.ts'
import {
  outcomeStatusSchema,
  rungSchema,
  targetingSchema,
  verifierSandboxSchema,
} from '../../record/index.ts'
import { settingsSchema } from '../../settings/index.ts'
import { thresholdsSchema } from '../../tasks/index.ts'
import { ATTACK_CLASS_IDS } from '../attack-audit.ts'

const whole = z.number().int()
const share = z.number()

/** One planned simulation and its results; shares are in 0–1. */
const simulatedSchema = z.object({
  tasks: whole,
  repetitions: whole,
  rounds: whole,
  seed: whole,
  clusteredCoverage: share,
  pooledCoverage: share,
  clusteredSeparation: share,
  pooledSeparation: share,
})

/** A class of attack, what stops it, and how an episode or a row shows it. */
const threatSchema = z.object({
  id: z.string(),
  title: z.string(),
  attack: z.string(),
  stops: z.string(),
  shows: z.string(),
  outcomes: z.array(outcomeStatusSchema).readonly(),
  findings: z.array(z.string()).readonly(),
  rules: z.array(z.enum(RULE_CODES)).readonly(),
  /** Classes of `proofboard audit` that run it. */
  audit: z.array(z.enum(ATTACK_CLASS_IDS)).readonly(),
})

/** Every number and rule behind the methods, as returned by the API. */
export const methodologyResponseSchema = z.object({
  schemaVersion: z.literal(1),
  policy: policySchema,
  /** Every setting, and the largest difference of values that still share an entry. */
  settings: z.object({
    list: z
      .array(
        z.object({
          key: z.string(),
          name: z.string(),
          sameRow: z.enum(['exact', 'near']).nullable(),
        }),
      )
      .readonly(),
    nearShare: share,
  }),
  confidence: share,
  fewTasks: whole,
  /** Minimum rows for statistics about a single task. */
  fewestRows: whole,
  /** Models with a shipped training cut-off; aliases are not counted. */
  knownCutoffs: whole,
  ranking: z.object({ alpha: share, seed: whole, resamples: whole, fewestTasks: whole }),
  comparison: z.object({
    alpha: share,
    smallDifference: share,
    enumeratedTasks: whole,
    random: z.object({ patterns: whole, seed: whole }),
  }),
  cost: z.object({ seed: whole, resamples: whole, level: share }),
  planner: z.looseObject({ wSquared: share, sSquaredA: share, sSquaredB: share }),
  noProgress: z.object({ failingCalls: whole, identicalCalls: whole, unchangedSteps: whole }),
  threats: z.array(threatSchema).readonly(),
  findings: z.array(z.object({ code: z.string(), meaning: z.string() })).readonly(),
  isolationLevels: z.array(settingsSchema.shape.isolation).readonly(),
  verifierSandboxes: z.array(verifierSandboxSchema.shape.sandbox).readonly(),
  browser: z.object({
    faults: z.record(z.string(), z.object({ by: z.string(), what: z.string() })),
    rungs: z.array(rungSchema).readonly(),
    targetings: z.array(targetingSchema).readonly(),
    assertions: z.array(z.string()).readonly(),
  }),
  episodeSchemaVersion: whole,
  protocolVersion: whole,
  /** Maximum tries of an evaluation that fails for internal reasons. */
  evaluationTries: whole,
  simulation: z.object({
    population: z.object({ tasks: whole, shape: share, shared: share }),
    titles: z.record(z.string(), z.string()),
    /** `results`, with the tables of coverage and differences, as written by `npm run simulate`. */
    record: z.looseObject({ policyVersion: whole, results: z.array(simulatedSchema) }),
  }),
  /** Error rates of boards, plans and looks from `npm run simulate`, with their goals. */
  errors: z.object({
    goals: z.looseObject({ setsHold: share, anyFalse: share, looks: share }),
    record: z.looseObject({ policyVersion: whole }),
    prices: z.array(z.number()).readonly(),
  }),
  /** Results of `npm run simulate` for plans that stop when decided, and for boards that break assumptions of the tests. */
  stops: z.object({
    goals: z.looseObject({ wrong: share, similar: share }),
    record: z.looseObject({ policyVersion: whole }),
  }),
  rules: z.array(
    z.object({
      code: z.enum(RULE_CODES),
      /** Fixed since the first board: it may be made stricter, never weaker. */
      fromSeed: z.boolean(),
      demand: z.string(),
    }),
  ),
  suites: z.array(
    z.object({ suiteId: z.string(), title: z.string(), thresholds: thresholdsSchema }),
  ),
})
