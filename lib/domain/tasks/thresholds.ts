import { z } from 'zod'

/** Thresholds of the evidence rules. Shares are 0–1. */
export const thresholdsSchema = z.object({
  /** Scored episodes needed for an aggregate; at least 10. */
  aggregateEpisodes: z.number().int().positive(),
  /** Scored episodes needed for a claim or chart about one task; at least 20. */
  perTaskEpisodes: z.number().int().positive(),
  /** Maximum share of excluded attempts among the finished ones, including retried ones. */
  voidShare: z.number().min(0).max(1),
})
export type Thresholds = z.infer<typeof thresholdsSchema>

/** A suite with the thresholds in force on its board. */
export type SuiteThresholds = { suiteId: string; title: string; thresholds: Thresholds }
