import { z } from 'zod'
import { measuredDifferenceSchema } from './measured-difference.ts'

/** Cost of one more solved task with an arm; negative = the arm costs less and solves more. */
export const costPerGainSchema = z.union([
  z.object({
    ok: z.literal(true),
    /** Per additional solved task. */
    microUsd: z.number(),
    lowMicroUsd: z.number(),
    highMicroUsd: z.number(),
    method: z.string(),
  }),
  z.object({ ok: z.literal(false), reason: z.string() }),
])
export type CostPerGain = z.infer<typeof costPerGainSchema>

/** Runs that would decide, with 80 % power, if the true difference is the assumed one. */
export const moreRunsSchema = z.object({
  /** The assumed true difference, 0–1: the observed one, or one worth finding if that is smaller. */
  difference: z.number(),
  /** Further repetitions of each task by each arm; null = a hundred in total are too few. */
  repetitions: z.number().int().nullable(),
  /** Sufficient tasks at the present repetitions; null = more than 10,000. */
  tasks: z.number().int().nullable(),
  sentence: z.string(),
})
export type MoreRuns = z.infer<typeof moreRunsSchema>

/** One arm against the baseline arm of the same agent. */
const armEffectSchema = z.object({
  rowId: z.string(),
  baselineRowId: z.string(),
  /** The agent with version and model, the same for both arms. */
  agent: z.string(),
  arm: z.string(),
  baseline: z.string(),
  /** Arm minus baseline over their common tasks; null = not comparable, for the reason in `sentence`. */
  difference: measuredDifferenceSchema.nullable(),
  sentence: z.string(),
  /** Describes whether the arm's content reached the model; null = no observable content. */
  activation: z.string().nullable(),
  costPerGain: costPerGainSchema,
  /** Runs that would decide; null = already decided. */
  more: moreRunsSchema.nullable(),
})
export type ArmEffect = z.infer<typeof armEffectSchema>

export const armsViewSchema = z.object({
  effects: z.array(armEffectSchema),
  /** Caveats about all of them. */
  notes: z.array(z.string()),
})
export type ArmsView = z.infer<typeof armsViewSchema>
