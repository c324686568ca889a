import { z } from 'zod'

/** Thresholds of the evidence rules. Shares are 0–1. */
export const thresholdsSchema = z.object({
  /** Scored episodes that an aggregate needs; 10 at least. */
  aggregateEpisodes: z.number().int().positive(),
  /** Scored episodes needed for a claim or chart about one task; 20 at least. */
  perTaskEpisodes: z.number().int().positive(),
  /** Maximum share of excluded attempts among the finished ones, including retried ones. */
  voidShare: z.number().min(0).max(1),
})
export type Thresholds = z.infer<typeof thresholdsSchema>

/** A suite with the thresholds that hold on its board. */
export type SuiteThresholds = { suiteId: string; title: string; thresholds: Thresholds }
