import { z } from 'zod'
import { CLOCK_TOLERANCE_MS } from '../ledger/index.ts'
import { modeSchema, provenanceSchema } from '../record/index.ts'
import { type Thresholds, thresholdsSchema } from '../tasks/index.ts'

/** Raise it whenever a rule or a threshold changes; plans and boards contain it. */
export const POLICY_VERSION = 9

export const policySchema = z.object({
  version: z.number().int(),
  thresholds: thresholdsSchema,
  /** Modes that can be ranked. */
  claimModes: z.array(modeSchema).readonly(),
  /** The weakest provenance that can be ranked. */
  weakestProvenance: provenanceSchema,
  /** Allowed clock difference between two machines, in milliseconds. */
  clockToleranceMs: z.number().int().positive(),
  /** Scored samples per task required for a model-driven subject. */
  modelRepetitions: z.number().int().positive(),
  /** Maximum void attempts in one slot of a run, retried or not. */
  voidsPerSlot: z.number().int().nonnegative(),
  /** Maximum probability of solving a task by guessing, without any work. */
  mostGuess: z.number().positive().max(1),
})
export type Policy = z.infer<typeof policySchema>

/** The policy in force, for the evidence rules, the planner and the methodology page. */
export const POLICY: Policy = {
  version: POLICY_VERSION,
  thresholds: { aggregateEpisodes: 10, perTaskEpisodes: 20, voidShare: 0.05 },
  claimModes: ['live', 'recorded-real'],
  weakestProvenance: 'token',
  clockToleranceMs: CLOCK_TOLERANCE_MS,
  modelRepetitions: 3,
  voidsPerSlot: 2,
  mostGuess: 0.001,
}

/** Applies a suite's own thresholds: each counts only where it is stricter than the policy's. */
export function tightenPolicy(
  policy: Policy,
  suite: { [K in keyof Thresholds]?: Thresholds[K] | undefined },
): Policy {
  const { aggregateEpisodes, perTaskEpisodes, voidShare } = policy.thresholds
  return {
    ...policy,
    thresholds: {
      aggregateEpisodes: stricter(Math.max, aggregateEpisodes, suite.aggregateEpisodes),
      perTaskEpisodes: stricter(Math.max, perTaskEpisodes, suite.perTaskEpisodes),
      voidShare: stricter(Math.min, voidShare, suite.voidShare),
    },
  }
}

function stricter(pick: (a: number, b: number) => number, ours: number, theirs = ours): number {
  return Number.isFinite(theirs) ? pick(ours, theirs) : ours
}
