/** Relative error of a tail that will do: finer than what bounds are rounded to. */
const CLOSE = 2e-13
const MOST_STEPS = 200

/**
 * The q in 0 … `most` at which `chance` reaches `tail`, 0 < tail < 1. `chance` is a cumulative probability that rises
 * without steps from 0 at 0 to 1 at `most`. Regula falsi (Illinois) on the logarithm: some ten evaluations.
 */
export function tailQuantile(chance: (q: number) => number, tail: number, most: number): number {
  const below = { at: 0, distance: Number.NEGATIVE_INFINITY }
  const above = { at: most, distance: -Math.log(tail) }
  let last = above
  for (let step = 0; step < MOST_STEPS; step++) {
    if (above.at - below.at <= Number.EPSILON * above.at) break
    const at = between(below, above)
    const distance = Math.log(chance(at) / tail)
    if (Math.abs(distance) < CLOSE) return at
    const [moved, kept] = distance < 0 ? [below, above] : [above, below]
    moved.at = at
    moved.distance = distance
    // The same end moved twice: halving the other's distance makes the next guess overshoot.
    if (moved === last) kept.distance /= 2
    last = moved
  }
  return below.at
}

type End = { at: number; distance: number }

function between(below: End, above: End): number {
  const guess =
    (below.at * above.distance - above.at * below.distance) / (above.distance - below.distance)
  return guess > below.at && guess < above.at ? guess : (below.at + above.at) / 2
}
