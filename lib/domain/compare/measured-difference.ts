import { z } from 'zod'
import { STATISTIC_REFUSAL_CODES } from '../statistics/index.ts'
import { formatLevel, formatSpread } from '../text/index.ts'

/** A minus B over their common tasks; rates and differences are in -1 … 1. */
export const measuredDifferenceSchema = z.object({
  ok: z.literal(true),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  p: z.number(),
  /** p corrected for all shown pairs, and for all looks at this one. */
  adjustedP: z.number(),
  /** Level of this pair's interval, 0–1: higher than the others' if a row was topped up or is unfinished. */
  confidence: z.number(),
  verdict: z.object({
    kind: z.enum(['better', 'worse', 'no-larger-than', 'cannot-tell']),
    text: z.string(),
    /** Only if the verdict names a bound; 0–1. */
    bound: z.number().nullable(),
  }),
  method: z.string(),
  /** Always null since every sign pattern is counted. */
  seed: z.number().int().nullable(),
  /**
   * The difference over tasks like these, independent of the test, at its own level (0–1). `isDecided`: it excludes 0
   * on the side of the verdict after the correction for all pairs, so the verdict holds on similar tasks as well.
   * Absent in older results.
   */
  similar: z
    .object({ low: z.number(), high: z.number(), confidence: z.number(), isDecided: z.boolean() })
    .optional(),
})
export type MeasuredDifference = z.infer<typeof measuredDifferenceSchema>

/** Why two rows could not be compared. */
export const unmeasuredSchema = z.object({
  ok: z.literal(false),
  refusal: z.object({ code: z.enum(STATISTIC_REFUSAL_CODES), reason: z.string() }),
})

/** Two compared rows, or the reason why not. */
export type PairResult = MeasuredDifference | z.infer<typeof unmeasuredSchema>

/**
 * Formats whole points with a minus sign (U+2212); `<1` for less than half a point on one side of zero: 0.268 → `27`,
 * -0.034 → `−3`.
 */
export function formatPoints(difference: number): string {
  const points = Math.round(100 * Math.abs(difference))
  if (points === 0 && difference !== 0) return difference < 0 ? '−<1' : '<1'
  return difference < 0 ? `−${points}` : `${points}`
}

/** Formats two significant digits; more if rounding would cross the usual level of 0.05. */
export function formatP(p: number): string {
  if (p < 0.001) return '< 0.001'
  if (p >= 0.995) return '1'
  const text = p.toPrecision(2)
  return text === '0.050' && p !== 0.05 ? p.toFixed(5) : text
}

/** Formats the levels of several intervals, `99 %` or `99–99.92 %`: interim analyses raise that of a pair. */
export function formatLevels(confidences: readonly number[]): string {
  const [min, max] = [Math.min(...confidences), Math.max(...confidences)]
  const [from, to] = [formatLevel(min), formatLevel(max)]
  return from === to ? from : formatSpread(from.replace(' %', ''), to)
}
