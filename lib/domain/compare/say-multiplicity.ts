import { countOf } from '../eligibility/list-names.ts'
import type { RowComparison } from '../statistics/compare-rows.ts'
import type { Multiplicity } from './comparison.ts'

/** What was done so that looking at many pairs finds no differences by chance alone. */
export function sayMultiplicity({ pairs, tested, alpha, pairAlpha }: RowComparison): Multiplicity {
  const method = tested > 1 ? 'Holm' : 'none: one pair'
  const confidence = 1 - pairAlpha
  const level = formatLevel(confidence)
  const text =
    tested > 1
      ? `${countOf(tested, 'pair')} tested with a family-wise error of ${100 * alpha} % (Holm): the probability of even one false “better” or “worse” among them is at most ${100 * alpha} %. p is adjusted for all of them, and each interval is made at ${level} so that it agrees with its verdict. Fewer rows would narrow the intervals.`
      : `One pair, so nothing to adjust for; the interval is a ${level} interval. To quote one pair out of several, compare all of them at once.`
  return { method, alpha, pairAlpha, confidence, pairs: pairs.length, tested, text }
}

/** 0.95 → `95 %`, 0.99821 → `99.82 %`. */
export function formatLevel(confidence: number): string {
  return `${Number((100 * confidence).toFixed(2))} %`
}
