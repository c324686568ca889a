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
  /** Always null since every sign pattern is counted. */
  seed: z.number().int().nullable(),
  /**
   * The difference over tasks like these, from no test, at its own level (0–1). `isDecided`: it excludes 0 on the side of the
   * verdict after the correction for all pairs, so the verdict holds on similar tasks as well. Absent in older answers.
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

/** Two rows compared, or why not. */
export type PairResult = MeasuredDifference | z.infer<typeof unmeasuredSchema>

/** A difference of rates as percentage points with one decimal and a true minus: -0.034 → `−3.4`. */
export function formatDifference(difference: number): string {
  const text = (100 * Math.abs(difference)).toFixed(1)
  return difference < 0 && text !== '0.0' ? `−${text}` : text
}

/** Whole points with a true minus; `<1` for less than half a point on one side of zero: 0.268 → `27`, -0.034 → `−3`. */
export function formatPoints(difference: number): string {
  const points = Math.round(100 * Math.abs(difference))
  if (points === 0 && difference !== 0) return difference < 0 ? '−<1' : '<1'
  return difference < 0 ? `−${points}` : `${points}`
}

/** Two significant digits; more if rounding would cross the usual level of 0.05. */
export function formatP(p: number): string {
  if (p < 0.001) return '< 0.001'
  if (p >= 0.995) return '1'
  const text = p.toPrecision(2)
  return text === '0.050' && p !== 0.05 ? p.toFixed(5) : text
}

/** 0.95 → `95 %`, 0.99821 → `99.82 %`. */
export function formatLevel(confidence: number): string {
  return `${levelNumber(confidence)} %`
}

/** The levels of several intervals, `99 %` or `99–99.92 %`: interim analyses raise that of a pair. */
export function formatLevels(confidences: readonly number[]): string {
  const [least, most] = [Math.min(...confidences), Math.max(...confidences)]
  const [from, to] = [levelNumber(least), levelNumber(most)]
  return from === to ? `${from} %` : `${from}–${to} %`
}

function levelNumber(confidence: number): number {
  return Number((100 * confidence).toFixed(2))
}
