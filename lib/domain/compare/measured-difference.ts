import { z } from 'zod'
import { STATISTIC_REFUSAL_CODES } from '../statistics/index.ts'

/** A minus B over their common tasks; rates and differences are in -1 … 1. */
export const measuredDifferenceSchema = z.object({
  ok: z.literal(true),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  p: z.number(),
  /** p with all pairs shown taken into account, and all looks at this one. */
  adjustedP: z.number(),
  /** Of this pair's interval, 0–1: higher than the others' where a row was topped up or is unfinished. */
  confidence: z.number(),
  verdict: z.object({
    kind: z.enum(['better', 'worse', 'no-larger-than', 'cannot-tell']),
    text: z.string(),
    /** 0–1, only where one is named. */
    bound: z.number().nullable(),
  }),
  method: z.string(),
  seed: z.number().int().nullable(),
})
export type MeasuredDifference = z.infer<typeof measuredDifferenceSchema>

/** Why two rows could not be compared. */
export const unmeasuredSchema = z.object({
  ok: z.literal(false),
  refusal: z.object({ code: z.enum(STATISTIC_REFUSAL_CODES), reason: z.string() }),
})

/** Two rows compared, or why not. */
export type PairResult = MeasuredDifference | z.infer<typeof unmeasuredSchema>
