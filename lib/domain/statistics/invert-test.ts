import type { Interval } from './proportion-interval.ts'

/**
 * The differences, -1 … 1, that a two-sided test does not reject at alpha. `pAt` rises to 1 at `centre` and falls after
 * it. Contains 0 exactly when pAt(0) > alpha: the interval and the verdict come from one test.
 */
export function invertTest(
  pAt: (delta: number) => number,
  centre: number,
  alpha: number,
): Interval {
  const isKept = (delta: number) => pAt(delta) > alpha
  const mirrored = (delta: number) => isKept(-delta)
  // From zero, so that a bound at zero does not become minus zero.
  return { low: lowestKept(isKept, centre), high: 0 - lowestKept(mirrored, -centre) }
}

/** The smallest kept delta in [-1, centre]; `centre` itself is kept. Zero is looked at on its own. */
function lowestKept(isKept: (delta: number) => boolean, centre: number): number {
  if (isKept(-1)) return -1
  let [out, kept] = [-1, centre]
  if (centre > 0) {
    if (isKept(0)) kept = 0
    else out = 0
  }
  for (let step = 0; step < 200; step++) {
    const middle = (out + kept) / 2
    if (middle <= out || middle >= kept) break
    if (isKept(middle)) kept = middle
    else out = middle
  }
  return kept
}
