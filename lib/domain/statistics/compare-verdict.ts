/** Whether row A is better than row B, in one of four ways of speaking. `bound` 0–1, only where one is named. */
export type CompareVerdict = {
  kind: 'better' | 'worse' | 'no-larger-than' | 'cannot-tell'
  text: string
  bound: number | null
}

/** The largest difference in success rate that one may call small: a tenth. */
export const SMALL_DIFFERENCE = 0.1

export type TestedDifference = { difference: number; low: number; high: number; p: number }

/**
 * Puts a tested difference into words. Significant: better or worse. Else, when the whole interval is small: no
 * difference larger than its far end, in whole percentage points rounded up. Else: cannot tell.
 */
export function compareVerdict(
  { difference, low, high, p }: TestedDifference,
  alpha: number,
): CompareVerdict {
  if (p <= alpha) {
    const kind = difference > 0 ? 'better' : 'worse'
    return { kind, text: kind, bound: null }
  }
  const bound = Math.max(Math.abs(low), Math.abs(high))
  if (bound > SMALL_DIFFERENCE) return { kind: 'cannot-tell', text: 'cannot tell', bound: null }
  const points = Math.max(1, Math.ceil(100 * bound - 1e-9))
  const text = `no difference larger than ${points} ${points === 1 ? 'point' : 'points'}`
  return { kind: 'no-larger-than', text, bound }
}
