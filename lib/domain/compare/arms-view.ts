import { z } from 'zod'
import { measuredDifferenceSchema } from './measured-difference.ts'

/** What one more solved task costs with an arm; negative = the arm costs less and solves more. */
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

/** How many runs would decide, with 80 % power, if the true difference is the assumed one. */
export const moreRunsSchema = z.object({
  /** The true difference that is assumed, 0–1: the one that was seen, or one worth finding where that is smaller. */
  difference: z.number(),
  /** Further repetitions of each task by each arm; null = a hundred in all are too few. */
  repetitions: z.number().int().nullable(),
  /** Tasks that are enough at the present repetitions; null = more than 10,000. */
  tasks: z.number().int().nullable(),
  sentence: z.string(),
})
export type MoreRuns = z.infer<typeof moreRunsSchema>

/** One arm against the baseline arm of the same agent. */
const armEffectSchema = z.object({
  rowId: z.string(),
  baselineRowId: z.string(),
  /** The agent with version and model, as both arms have it. */
  agent: z.string(),
  arm: z.string(),
  baseline: z.string(),
  /** Arm minus baseline over their common tasks; null = they cannot be compared, `sentence` says why. */
  difference: measuredDifferenceSchema.nullable(),
  sentence: z.string(),
  /** Whether the arm's content reached the model, in words; null = it has none that could be seen. */
  activation: z.string().nullable(),
  costPerGain: costPerGainSchema,
  /** What would decide; null = it is decided. */
  more: moreRunsSchema.nullable(),
})
export type ArmEffect = z.infer<typeof armEffectSchema>

export const armsViewSchema = z.object({
  effects: z.array(armEffectSchema),
  /** What a reader must know about all of them. */
  notes: z.array(z.string()),
})
export type ArmsView = z.infer<typeof armsViewSchema>
