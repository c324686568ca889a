/** Task means as counts: `solved` of `scored`. */
export type MeanPair = {
  a: { solved: number; scored: number }
  b: { solved: number; scored: number }
}

/** Task differences as whole multiples of one step, so that sums and ties are exact. */
export type DifferenceLattice = {
  /** d_i / step, whole numbers, in the order given. */
  units: number[]
  /** Size of one unit on the scale of rates. */
  step: number
  /** Common denominator of the task means, before anything is reduced. */
  finest: number
}

const FINEST = 1e7

/**
 * Writes the differences of task means a_i - b_i over their common denominator, reduced as far as it goes.
 * Null when the repetitions are so uneven that the common denominator is beyond ten million.
 */
export function differenceLattice(pairs: readonly MeanPair[]): DifferenceLattice | null {
  let denominator = 1
  for (const { a, b } of pairs) {
    denominator = leastCommonMultiple(leastCommonMultiple(denominator, a.scored), b.scored)
    if (denominator > FINEST) return null
  }
  const units = pairs.map(
    ({ a, b }) => (a.solved * denominator) / a.scored - (b.solved * denominator) / b.scored,
  )
  const divisor =
    units.reduce((value, unit) => greatestCommonDivisor(value, Math.abs(unit)), 0) || 1
  return {
    units: units.map((unit) => unit / divisor),
    step: divisor / denominator,
    finest: denominator,
  }
}

function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b
}

/** Of two whole numbers of zero or more; 0 of 0 and 0. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [high, low] = [a, b]
  while (low > 0) [high, low] = [low, high % low]
  return high
}
